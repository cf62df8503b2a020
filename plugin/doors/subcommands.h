// The subcommands of gdal-gpu, each declared once: --help, `help SUBCOMMAND` and the messages about
// what is unknown follow from this table. For the command itself, which is linked with nothing, and
// for libgdalgpu.
#pragma once

#include <string>
#include <vector>

namespace gdalgpu {

struct CommandOption {
    std::vector<std::string> names;  // "-I", "--inverse"
    std::string value;               // "CRS", "crs|xy"; empty where it takes none
    std::string help;
};

struct Subcommand {
    std::string name;
    std::string arguments;  // as the synopsis has them
    std::string summary;    // a line
    std::string more;       // further sentences; empty where the summary says all
    std::vector<CommandOption> options;
};

inline const std::vector<Subcommand>& Subcommands() {
    static const std::vector<Subcommand> subcommands = {
        {"run",
         "[--] COMMAND [ARGUMENT...]",
         "runs a program that uses GDAL with its pixels on the GPU",
         "COMMAND (gdalwarp, gdal_translate, python3, qgis, ...) is started unchanged, with the "
         "plugin in GDAL_DRIVER_PATH and the preload library in LD_PRELOAD; all that follows it is "
         "its own. `gdal-gpu info` lists what is taken over. The exit status is COMMAND's own; "
         "125: it couldn't be set up, 126: it isn't executable, 127: it wasn't found.",
         {}},
        {"info",
         "[--json]",
         "shows devices, compilers, cache, options, and what is taken over from GDAL",
         "",
         {{{"--json"}, "", "as one JSON object"}}},
        {"cache",
         "[--clear]",
         "shows the compiled kernels on disk: where, how many",
         "",
         {{{"--clear"}, "", "removes them, and what compilers that were killed left behind"}}},
        {"transform",
         "(-s_srs CRS -t_srs CRS | --pipeline TEXT) [OPTION...] [FILE...]",
         "transforms lines of coordinates",
         "Lines \"x y [z [t]]\" of the files, or of the standard input (also -), are "
         "printed with 17 significant digits; * for a point that fails. What follows the "
         "coordinates, empty lines and lines with # pass unchanged.",
         {{{"-s_srs"}, "CRS", "from this CRS: whatever GDAL takes for one"},
          {{"-t_srs"}, "CRS", "to this CRS"},
          {{"--pipeline"},
           "TEXT",
           "through an operation: a PROJ string, PROJJSON, WKT or code. Angles are in degrees "
           "where the operation's own are in radians"},
          {{"-I", "--inverse"}, "", "the other way round"},
          {{"--axes"},
           "crs|xy",
           "axes as the CRSs say (crs, the default: latitude first where they say so), or x first"},
          {{"--device"},
           "AUTO|CUDA|HOST|NONE",
           "where it runs, in place of GDAL_GPU_DEVICE; NONE: PROJ itself"},
          {{"--precision"},
           "fp64|ds|fp32|auto",
           "of the projections: ds are pairs of floats (about 1e-4 m), fp32 about 10 m, auto is "
           "fp64 here, where there are no pixels to measure by"}}},
        {"coverage",
         "[--auth NAME] [--limit N] [--json | --markdown]",
         "tells for each projected CRS that PROJ knows whether it is fused, and how close to PROJ",
         "",
         {{{"--auth"}, "NAME", "only this authority's: EPSG, ESRI, ..."},
          {{"--limit"}, "N", "only the first N"},
          {{"--json"}, "", "as a JSON array"},
          {{"--markdown"}, "", "as tables in Markdown"}}},
        {"help",
         "[SUBCOMMAND | ALGORITHM]",
         "explains a subcommand, an algorithm (GPU:ALGORITHM:dataset) or gpu_expression",
         "Of an algorithm: what it does, and its arguments. Of gpu_expression, the pixel function: "
         "its operators and functions.",
         {}},
    };
    return subcommands;
}

// The subcommand of that name; nullptr where there is none.
inline const Subcommand* FindSubcommand(const std::string& name) {
    for (const Subcommand& subcommand : Subcommands()) {
        if (subcommand.name == name) return &subcommand;
    }
    return nullptr;
}

inline std::vector<std::string> SubcommandNames() {
    std::vector<std::string> names;
    for (const Subcommand& subcommand : Subcommands()) names.push_back(subcommand.name);
    return names;
}

// Text in lines of at most 100 columns, the first of which begins with `first` and the others with
// as many spaces as `indent` says.
inline std::string Wrapped(const std::string& first, size_t indent, const std::string& text) {
    constexpr size_t kColumns = 100;
    std::string result, line = first;
    line.resize(line.size() < indent ? indent : line.size(), ' ');
    bool empty = true;
    for (size_t at = 0; at < text.size();) {
        const size_t space = text.find(' ', at);
        const std::string word = text.substr(at, space == std::string::npos ? space : space - at);
        at = space == std::string::npos ? text.size() : space + 1;
        if (!empty && line.size() + 1 + word.size() > kColumns) {
            result += line + "\n";
            line.assign(indent, ' ');
            empty = true;
        }
        line += (empty ? "" : " ") + word;
        empty = false;
    }
    return result + line + "\n";
}

// What `help SUBCOMMAND` and `SUBCOMMAND --help` print.
inline std::string SubcommandHelp(const Subcommand& subcommand) {
    constexpr size_t kIndent = 30;
    std::string summary = subcommand.summary + ".";
    summary[0] = static_cast<char>(summary[0] - 'a' + 'A');
    std::string text = "Usage: gdal-gpu " + subcommand.name + " " + subcommand.arguments + "\n\n" +
                       Wrapped("", 0, summary);
    if (!subcommand.more.empty()) text += "\n" + Wrapped("", 0, subcommand.more);
    if (!subcommand.options.empty()) text += "\n";
    for (const CommandOption& option : subcommand.options) {
        std::string names;
        for (const std::string& name : option.names) names += (names.empty() ? "" : ", ") + name;
        if (!option.value.empty()) names += " " + option.value;
        text += Wrapped("  " + names + "  ", kIndent, option.help);
    }
    return text;
}

// What --help prints.
inline std::string CommandHelp() {
    constexpr size_t kIndent = 14;
    std::string text = "Usage: gdal-gpu SUBCOMMAND [ARGUMENT...]\n\n";
    for (const Subcommand& subcommand : Subcommands()) {
        text += Wrapped("  " + subcommand.name, kIndent, subcommand.arguments);
        text += Wrapped("", kIndent, subcommand.summary);
    }
    return text +
           "\n  --help, --version\n\n"
           "gdal-gpu help SUBCOMMAND tells more of each. The exit status is 0, 1 after an error, 2 "
           "after a\nwrong argument; with run the command's own.\n";
}

}  // namespace gdalgpu
