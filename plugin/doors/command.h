// The subcommands of gdal-gpu that need GDAL.
#pragma once

#include <string>
#include <vector>

// arguments: the subcommand ("info", "cache", ...) and what follows it. Returns the exit status: 0,
// 1 after an error, 2 after a wrong argument.
extern "C" __attribute__((visibility("default"))) int gdalgpu_command_v1(int count,
                                                                         char** arguments);

namespace gdalgpu {

int InfoCommand(bool json);

// What follows `transform` and `coverage`. As gdalgpu_command_v1; throw std::exception.
int TransformCommand(const std::vector<std::string>& arguments);
int CoverageCommand(const std::vector<std::string>& arguments);

// Say that a subcommand has no such argument or takes it once, that an option takes other values,
// and that it needs one; the exit status.
int WrongArgument(const std::string& subcommand, const std::string& argument);
int WrongValue(const std::string& option, const std::string& value, const std::string& accepted);
int MissingValue(const std::string& option, const std::string& accepted);

// What `help` explains: subcommands, algorithms and the pixel function.
std::vector<std::string> HelpTopics();

// Whether all that was printed so far has reached standard output; says so where it hasn't.
bool OutputIsWritten();

// `info --takeovers`, what info runs in a process of its own with the preload library: warps a few
// pixels and prints how often each function was taken over ("PerformWarp 2"), a line each.
int TakeoverProbe();

}  // namespace gdalgpu
