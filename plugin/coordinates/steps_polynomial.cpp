#include <algorithm>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

#include "plugin/coordinates/step_setup.h"

namespace gdalgpu {

namespace {

// Larger polynomials than these would not fit beside other steps into a kernel's parameters, 4 KB.
constexpr long kLargestReal = 12;
constexpr long kLargestComplex = 48;

// Exactly `count` numbers, between commas.
std::vector<double> ReadList(const StepParameters& p, const char* name, size_t count) {
    if (!p.has(name)) {
        p.fail(name, "is missing");
    }
    const std::string text = p.text(name);
    std::vector<double> values;
    for (size_t at = 0; at <= text.size();) {
        const size_t comma = std::min(text.find(',', at), text.size());
        try {
            values.push_back(ParseNumber(text.substr(at, comma - at)));
        } catch (const std::invalid_argument&) {
            p.fail(name, "should be numbers");
        }
        at = comma + 1;
    }
    if (values.size() != count) {
        p.fail(name, "should be " + std::to_string(count) + " numbers");
    }
    return values;
}

double ReadOne(const StepParameters& p, const char* name, double otherwise) {
    return p.has(name) ? ReadList(p, name, 1).front() : otherwise;
}

std::vector<std::byte> ToBytes(std::initializer_list<std::vector<double>> lists) {
    std::vector<std::byte> bytes;
    for (const std::vector<double>& list : lists) {
        for (double value : list) {
            const std::vector<std::byte> more = Bytes(value);
            bytes.insert(bytes.end(), more.begin(), more.end());
        }
    }
    return bytes;
}

void MakeHorner(const StepText& text, OperationStep& step) {
    const StepParameters& p = text.parameters;
    MakeNeutral(text, step);
    step.left = step.right = p.rules().horner_takes_any_unit ? Units::Any : Units::Plane;
    const bool complex = p.has("fwd_c") || p.has("inv_c");
    const long degree = p.integer("deg");
    if (degree < 1 || degree > (complex ? kLargestComplex : kLargestReal)) {
        p.fail("deg", "should be 1 to " + std::to_string(complex ? kLargestComplex : kLargestReal));
    }
    const std::vector<double> limits = {ReadOne(p, "range", 500000),
                                        ReadOne(p, "inv_tolerance", 0.001)};
    const bool has_inverse =
        p.has("inv_origin") || (complex ? p.has("inv_c") : p.has("inv_u") || p.has("inv_v"));
    std::vector<double> signs;
    if (complex) {
        signs = {p.has("uneg") ? -1. : 1., p.has("vneg") ? -1. : 1.};
    }
    const auto parameters = [&](const std::string& direction) {
        const size_t n = degree + 1;
        const std::vector<double> origin = ReadList(p, (direction + "_origin").c_str(), 2);
        return complex ? ToBytes({origin, signs, limits,
                                  ReadList(p, (direction + "_c").c_str(), 2 * n)})
                       : ToBytes({origin, limits,
                                  ReadList(p, (direction + "_u").c_str(), n * (n + 1) / 2),
                                  ReadList(p, (direction + "_v").c_str(), n * (n + 1) / 2)});
    };
    const std::string type = std::string("kernels::step::Horner") + (complex ? "Complex" : "Real") +
                             "<" + std::to_string(degree) + ">";
    step.header = "step/horner.h";
    step.forward = {type, parameters("fwd"), "if (!$.evaluate(x, y)) return false;"};
    step.inverted = {type, parameters(has_inverse ? "inv" : "fwd"),
                     has_inverse ? "if (!$.evaluate(x, y)) return false;"
                                 : "if (!$.iterate(x, y)) return false;"};
}

}  // namespace

std::vector<StepKind> PolynomialSteps() {
    return {{"horner",
             MakeHorner,
             {"+deg=2 +fwd_origin=0,0 +fwd_u=3,1,1e-9,1e-9,1e-9,1e-9 "
              "+fwd_v=5,1,1e-9,1e-9,1e-9,1e-9",
              "+deg=1 +fwd_origin=0,0 +fwd_c=3,5,1,1e-4"}}};
}

}  // namespace gdalgpu
