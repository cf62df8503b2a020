#include "plugin/doors/command_pages.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "plugin/doors/command.h"
#include "plugin/doors/pixel_functions.h"
#include "plugin/doors/subcommands.h"
#include "plugin/options.h"
#include "plugin/raster/algorithm.h"

namespace gdalgpu {
namespace {

// Text as troff prints it: no escape, no request at the start of a line, hyphens that can be typed.
std::string Escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '\\') {
            result += "\\e";
        } else if (c == '-') {
            result += "\\-";
        } else if (c == '~') {
            result += "\\(ti";
        } else if (c == '^') {
            result += "\\(ha";
        } else if (c == '\'') {
            result += "\\(aq";
        } else {
            result += c;
        }
    }
    return result.rfind('.', 0) == 0 ? "\\&" + result : result;
}

class Manual {
  public:
    Manual(const std::string& name, const char* section, const char* summary) {
        text_ =
            ".TH " + Escaped(name) + " " + section + " \"\" \"gdal\\-gpu " GDALGPU_VERSION "\"\n";
        Section("NAME");
        text_ += Escaped(name) + " \\- " + Escaped(summary) + "\n";
    }

    void Section(const std::string& title) { text_ += ".SH " + title + "\n"; }
    void Subsection(const std::string& title) { text_ += ".SS " + Escaped(title) + "\n"; }
    void Paragraph(const std::string& text) { text_ += ".PP\n" + Escaped(text) + "\n"; }
    void Synopsis(const std::string& words) {
        text_ += ".PP\n.B gdal\\-gpu\n" + Escaped(words) + "\n";
    }
    void Item(const std::string& term, const std::string& text) {
        text_ += ".TP\n.B " + Escaped(term) + "\n" + Escaped(text) + "\n";
    }
    void Example(const std::string& text) {
        text_ += ".PP\n.nf\n.RS\n" + Escaped(text) + "\n.RE\n.fi\n";
    }
    void SeeAlso(const char* pages) {
        Section("SEE ALSO");
        text_ += std::string(pages) + "\n";
    }

    const std::string& text() const { return text_; }

  private:
    std::string text_;
};

std::string Capitalized(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    }
    return text;
}

std::string Joined(const std::vector<std::string>& words, const char* separator) {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : separator) + word;
    }
    return text;
}

std::string Term(const CommandOption& option) {
    const std::string names = Joined(option.names, ", ");
    return option.value.empty() ? names : names + " " + option.value;
}

// One case of the completion's: the words that may follow the option.
std::string ValueCase(const CommandOption& option) {
    std::string choices;
    if (option.value.find('|') != std::string::npos) {
        choices = option.value;
        std::replace(choices.begin(), choices.end(), '|', ' ');
    }
    return "        " + Joined(option.names, "|") + ") COMPREPLY=($(compgen -W \"" + choices +
           "\" -- \"$cur\")); return ;;\n";
}

}  // namespace

std::string CommandManual() {
    Manual page("gdal-gpu", "1", "GDAL's pixels on the GPU");
    page.Section("SYNOPSIS");
    for (const Subcommand& subcommand : Subcommands()) {
        page.Synopsis(subcommand.name + " " + subcommand.arguments);
    }
    page.Synopsis("--help | --version");
    page.Section("DESCRIPTION");
    page.Paragraph(
        "Runs the arithmetic of programs that use GDAL (gdalwarp, gdal_translate, VRT files, "
        "rasterio, QGIS) in fused kernels on an NVIDIA GPU, or on the processor's cores. GDAL goes "
        "on to open, plan, read and write; what the GPU can't do is left to GDAL's own code.");
    page.Section("SUBCOMMANDS");
    for (const Subcommand& subcommand : Subcommands()) {
        page.Subsection(subcommand.name + " " + subcommand.arguments);
        page.Paragraph(Capitalized(subcommand.summary) + ".");
        if (!subcommand.more.empty()) {
            page.Paragraph(subcommand.more);
        }
        for (const CommandOption& option : subcommand.options) {
            page.Item(Term(option), Capitalized(option.help) + ".");
        }
    }
    page.Section("CONFIGURATION OPTIONS");
    page.Paragraph(
        "Configuration options of GDAL: environment variables, or --config NAME VALUE with GDAL's "
        "own programs. gdal-gpu info shows what is in effect.");
    for (const ConfigOption& option : ConfigOptions()) {
        page.Item(std::string(option.name) + " (" + option.default_value + ")", option.help);
    }
    page.Section("EXIT STATUS");
    page.Paragraph(
        "0, 1 after an error, 2 after a wrong argument; with run the command's own, or 125, 126 or "
        "127 where it couldn't be started.");
    page.Section("EXAMPLES");
    page.Example("gdal-gpu run gdalwarp -t_srs EPSG:3857 -r bilinear scene.tif warped.tif");
    page.Example("echo 52 13 | gdal-gpu transform -s_srs EPSG:4326 -t_srs EPSG:32633");
    page.SeeAlso(
        ".BR gdal\\-gpu\\-algorithms (7),\n.BR gdalwarp (1),\n.BR gdal_translate (1),\n"
        ".BR gdaldem (1)");
    return page.text();
}

std::string AlgorithmManual() {
    Manual page("gdal-gpu-algorithms", "7", "GPU: names and the pixel function gpu_expression");
    page.Section("DESCRIPTION");
    page.Paragraph(
        "With the driver GPU, an algorithm's result is a dataset whose name any program takes that "
        "opens rasters through GDAL:");
    page.Example("GPU:ALGORITHM[,KEY=VALUE...]:DATASET");
    page.Paragraph(
        "A flag may stand without its value. DATASET is all that follows the first colon behind "
        "the algorithm, whatever GDAL opens: with colons and commas itself, a path below /vsizip/, "
        "another GPU: name. A relative path starts from the folder that the program runs in. "
        "Double quotes around it are taken off.");
    page.Section("ALGORITHMS");
    for (const Algorithm& algorithm : Algorithms()) {
        page.Subsection(algorithm.name);
        page.Paragraph(Capitalized(algorithm.title) + ". Result: " + algorithm.output + ".");
        for (const Argument& argument : algorithm.arguments) {
            std::string text = argument.help + ": " + AcceptedValues(argument) + " (default " +
                               argument.default_value + ").";
            for (const std::string& alias : argument.aliases) {
                text += " Also " + alias + ".";
            }
            page.Item(argument.name, text);
        }
    }
    page.Section("PIXEL FUNCTION");
    page.Paragraph("gpu_expression: pixel function of a VRTDerivedRasterBand.");
    for (const PixelFunctionArgument& argument : PixelFunctionArguments()) {
        page.Item(argument.name, Capitalized(argument.help) + ".");
    }
    page.Section("EXAMPLES");
    page.Example("gdal_translate GPU:hillshade,azimuth=315,compute_edges:dem.tif shade.tif");
    page.Example("gdal_translate GPU:slope,format=percent:dem.tif slope.tif");
    page.SeeAlso(".BR gdal\\-gpu (1),\n.BR gdaldem (1),\n.BR gdal_translate (1)");
    return page.text();
}

std::string BashCompletion() {
    std::vector<std::string> names;
    std::string cases, values;
    for (const Subcommand& subcommand : Subcommands()) {
        names.push_back(subcommand.name);
        std::vector<std::string> words;
        for (const CommandOption& option : subcommand.options) {
            words.push_back(option.names.back());
            if (!option.value.empty()) {
                values += ValueCase(option);
            }
        }
        words.emplace_back("--help");
        if (subcommand.name == "help") {
            words = HelpTopics();
        }
        cases += "        " + subcommand.name + ") words=\"" + Joined(words, " ") + "\" ;;\n";
    }
    names.emplace_back("--help");
    names.emplace_back("--version");
    return "# bash completion for gdal-gpu\n"
           "_gdal_gpu() {\n"
           "    local cur=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words\n"
           "    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W \"" +
           Joined(names, " ") +
           "\" -- \"$cur\"))\n"
           "        return\n"
           "    fi\n"
           "    # The command that is run completes its own words.\n"
           "    if [ \"${COMP_WORDS[1]}\" = run ]; then\n"
           "        local first=2\n"
           "        [ \"${COMP_WORDS[2]}\" = -- ] && [ \"$COMP_CWORD\" -gt 2 ] && first=3\n"
           "        if declare -F _comp_command_offset >/dev/null; then\n"
           "            _comp_command_offset \"$first\"\n"
           "        elif declare -F _command_offset >/dev/null; then\n"
           "            _command_offset \"$first\"\n"
           "        elif [ \"$COMP_CWORD\" -eq \"$first\" ]; then\n"
           "            COMPREPLY=($(compgen -c -- \"$cur\"))\n"
           "        fi\n"
           "        return\n"
           "    fi\n"
           "    case $previous in\n" +
           values +
           "    esac\n"
           "    case ${COMP_WORDS[1]} in\n" +
           cases +
           "    esac\n"
           "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
           "} &&\n"
           "    complete -o default -F _gdal_gpu gdal-gpu\n";
}

bool PrintPage(const std::string& name) {
    std::string text;
    if (name == "--man-1") {
        text = CommandManual();
    } else if (name == "--man-7") {
        text = AlgorithmManual();
    } else if (name == "--bash-completion") {
        text = BashCompletion();
    }
    std::fputs(text.c_str(), stdout);
    return !text.empty();
}

}  // namespace gdalgpu
