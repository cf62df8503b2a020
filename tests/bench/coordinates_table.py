#!/usr/bin/python3
"""Turns what bench_coordinates --benchmark_out=FILE wrote into a Markdown table, a line an operation.

    python3 tests/bench/coordinates_table.py FILE

Each cell: milliseconds and, in brackets, how many times the floor (each coordinate read and written once).
"""
import json
import statistics
import sys

COMMON = 24  # the projections that come first: vibeProj's


def main():
    rows, problems, pinned = {}, [], None
    for run in json.load(open(sys.argv[1]))["benchmarks"]:
        operation, direction, count, precision = run["name"].removesuffix("/manual_time").split("/")[:4]
        if run.get("error_occurred"):
            problems.append(f"{operation} {direction} {count} {precision}: {run['error_message']}")
        elif direction == "pinned":
            pinned = run
        else:
            rows.setdefault(operation, {})[direction, count, precision] = run

    def cell(operation, *key):
        run = rows[operation].get(key)
        if run is None:
            return ""
        # A precision that isn't good enough gives way to fp64, and the path says so.
        taken = key[2] == "fp64" or run["label"].endswith(" in " + key[2])
        return f"{run['best_ms']:.4g} ({run['x_floor']:.2f})" if taken else "fp64"

    columns = [("forward", "1M", "fp64"), ("forward", "100M", "fp64"), ("inverse", "1M", "fp64"),
               ("inverse", "100M", "fp64"), ("forward", "100M", "ds"), ("inverse", "100M", "ds"),
               ("forward", "100M", "fp32"), ("inverse", "100M", "fp32")]
    print("| operation | " + " | ".join(f"{d} {c}" + (f" {p}" if p != "fp64" else "") for d, c, p in columns) + " |")
    print("| --- |" + " --- |" * len(columns))
    for operation in rows:
        print(f"| {operation} | " + " | ".join(cell(operation, *column) for column in columns) + " |")
    common = list(rows)[:COMMON]
    medians = []
    for column in columns:
        ratios = [rows[o][column]["x_floor"] for o in common if column in rows[o]]
        medians.append(f"({statistics.median(ratios):.2f})" if ratios else "")
    print(f"| median of the first {COMMON} | " + " | ".join(medians) + " |")
    for count in ("1M", "100M"):
        ratios = [run["x_floor"] for o in common for (_, c, p), run in rows[o].items() if (c, p) == (count, "fp64")]
        if ratios:
            print(f"\nMedian over the first {COMMON}, both directions, {count} points, fp64: "
                  f"{statistics.median(ratios):.2f} times the floor.")
    if pinned:
        print(f"\nPinned host arrays, tmerc, 100M points: {pinned['best_ms']:.1f} ms; copying up alone "
              f"{pinned['up_ms']:.1f} ms, down alone {pinned['down_ms']:.1f} ms: "
              f"{pinned['x_slower_copy']:.2f} times the slower.")
    for problem in problems:
        print(f"\nNot measured: {problem}")


if __name__ == "__main__":
    main()
