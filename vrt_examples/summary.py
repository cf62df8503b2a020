"""summary.py FOLDER EXAMPLE=DOOR...: a table of the reports FOLDER/EXAMPLE.jsonl. Exits with 1 where an example has no
request through its door, or one that a device didn't run."""
import json
import pathlib
import sys


def requests(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def main(folder, examples):
    rows = {}
    failures = []
    for example, door in (argument.split("=") for argument in examples):
        found = requests(pathlib.Path(folder) / f"{example}.jsonl")
        if not any(request["door"] == door for request in found):
            failures.append(f"{example}: no request came through the door {door}")
        for request in found:
            if request["device"] == "GDAL":
                failures.append(f"{example}: GDAL's own code did {request['operation']}: {request.get('reason')}")
            key = (example, request["door"], request["operation"], request["device"], request["kernel"])
            total = rows.setdefault(key, {"requests": 0, "pixels": 0, "compiled": 0, "seconds": 0.0})
            total["requests"] += 1
            total["pixels"] += request["pixels"]
            total["compiled"] += request["compiled"]
            total["seconds"] += request["seconds"]["total"]

    table = [["example", "door", "operation", "device", "kernel", "requests", "pixels", "compiled", "seconds"]]
    for key, total in rows.items():
        table.append([*key, *(f"{total[name]}" for name in ("requests", "pixels", "compiled")),
                      f"{total['seconds']:.3f}"])
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    for row in table:
        cells = (cell.ljust(width) if column < 5 else cell.rjust(width)
                 for column, (cell, width) in enumerate(zip(row, widths)))
        print("  ".join(cells).rstrip())
    for failure in dict.fromkeys(failures):
        print(f"FAILED: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
