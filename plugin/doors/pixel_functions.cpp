#include "plugin/doors/pixel_functions.h"

#include <exception>
#include <string>

#include "cpl_conv.h"
#include "cpl_error.h"
#include "cpl_string.h"
#include "gdal.h"
#include "plugin/doors/subcommands.h"
#include "plugin/raster/expression_operations.h"
#include "plugin/raster/expression_run.h"

namespace gdalgpu {

namespace {

double ParseNumber(const std::string& name, const char* text) {
    char* end = nullptr;
    const double value = CPLStrtod(text, &end);
    while (end && *end == ' ') ++end;
    if (!*text || !end || *end)
        throw std::invalid_argument("the argument " + name + " is not a number: \"" + text + '"');
    return value;
}

CPLErr GpuExpression(void** sources, int source_count, void* data, int width, int height,
                     GDALDataType source_type, GDALDataType buffer_type, int pixel_space,
                     int line_space, CSLConstList arguments) {
    std::string text;
    try {
        Report report("pixel_function", "gpu_expression");
        Expression::Names names;
        names.sources = source_count;
        for (CSLConstList argument = arguments; argument && *argument; ++argument) {
            char* key = nullptr;
            const char* const value = CPLParseNameValue(*argument, &key);
            const std::string name = key ? key : "";
            CPLFree(key);
            if (name.empty() || !value) continue;
            if (EQUAL(name.c_str(), "expression")) {
                text = value;
            } else if (EQUAL(name.c_str(), "nodata")) {
                names.nodata = ParseNumber(name, value);
                names.source_nodata = HeldNodata(*names.nodata, source_type);
            } else {
                names.arguments.emplace_back(name, ParseNumber(name, value));
            }
        }
        if (text.empty())
            throw std::invalid_argument(
                "the argument expression is missing: <PixelFunctionArguments "
                "expression=\"(B1-B2)/(B1+B2)\"/>");
        const Expression expression = Expression::Parse(text, names);
        ExpressionRequest request;
        request.sources.assign(sources, sources + source_count);
        request.source_type = source_type;
        request.width = width;
        request.height = height;
        request.output = data;
        request.output_type = buffer_type;
        request.pixel_space = pixel_space;
        request.line_space = line_space;
        RunExpression(expression, request, report);
        return CE_None;
    } catch (const ExpressionError& error) {
        CPLError(CE_Failure, CPLE_AppDefined, "gpu_expression: %s, in \"%.200s\"", error.what(),
                 text.c_str());
    } catch (const std::exception& error) {
        CPLError(CE_Failure, CPLE_AppDefined, "gpu_expression: %s", error.what());
    }
    return CE_Failure;
}

}  // namespace

std::vector<PixelFunctionArgument> PixelFunctionArguments() {
    std::string functions;
    for (const std::string& name : FunctionNames()) functions.append(" ").append(name);
    return {{"expression", "string",
             "what to compute of B1, B2, ... (the sources in order) and of further arguments by "
             "their names: + - * / % ^, < <= > >= == !=, && || !, ?:, and the functions" +
                 functions},
            {"nodata", "double", "where a source has this value, the result has it"}};
}

std::string PixelFunctionHelp() {
    std::string text = "gpu_expression: pixel function of a VRTDerivedRasterBand\n\n";
    for (const PixelFunctionArgument& argument : PixelFunctionArguments())
        text += Wrapped("  " + argument.name, 14, argument.help);
    return text;
}

void RegisterPixelFunctions() {
    std::string list = "<PixelFunctionArgumentsList>";
    for (const PixelFunctionArgument& argument : PixelFunctionArguments()) {
        char* const help = CPLEscapeString(argument.help.c_str(), -1, CPLES_XML);
        list.append("<Argument name='").append(argument.name).append("' type='");
        list.append(argument.type).append("' description='").append(help).append("' />");
        CPLFree(help);
    }
    list += "</PixelFunctionArgumentsList>";
    GDALAddDerivedBandPixelFuncWithArgs("gpu_expression", GpuExpression, list.c_str());
}

}  // namespace gdalgpu
