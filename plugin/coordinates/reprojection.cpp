#include "plugin/coordinates/reprojection.h"

#include <cmath>
#include <set>

#include "cpl_conv.h"
#include "cpl_error.h"
#include "cpl_string.h"
#include "ogr_spatialref.h"
#include "plugin/coordinates/coordinate_operation.h"

namespace gdalgpu {
namespace {

constexpr double no_time = HUGE_VAL;

// A CRS and what OGR derives from it.
struct Crs {
    OGRSpatialReference srs;
    bool present = false;
    bool geographic = false;
    OGRAxisOrientation first_axis = OAO_Other;
    std::string text;  // for proj_create()
    std::optional<double> center_longitude;
};

const char* const equivalent[] = {"CRITERION=EQUIVALENT", nullptr};

bool Flag(const char* option, const char* otherwise) {
    return CPLTestBool(CPLGetConfigOption(option, otherwise));
}

std::string ExportedText(const OGRSpatialReference& srs) {
    char* text = nullptr;
    if (srs.GetExtension(nullptr, "PROJ4", nullptr)) {
        srs.exportToProj4(&text);
    } else {
        const char* const options[] = {"FORMAT=WKT2_2018", nullptr};
        srs.exportToWkt(&text, options);
    }
    std::string result = text ? text : "";
    CPLFree(text);
    if (srs.GetExtension(nullptr, "PROJ4", nullptr) &&
        result.find(" +type=crs") == std::string::npos)
        result += " +type=crs";
    return result;
}

// The official definition, where the CRS carries a code and is the same but for what WKT 1 can't
// say.
std::string OfficialCode(const OGRSpatialReference& srs) {
    const char* authority = srs.GetAuthorityName(nullptr);
    const char* code = srs.GetAuthorityCode(nullptr);
    if (authority == nullptr || code == nullptr || !Flag("OGR_CT_PREFER_OFFICIAL_SRS_DEF", "YES"))
        return "";
    std::string name = std::string(authority) + ":" + code;
    OGRSpatialReference official;
    official.SetFromUserInput(name.c_str());
    official.SetDataAxisToSRSAxisMapping(srs.GetDataAxisToSRSAxisMapping());
    if (!official.IsSame(&srs, equivalent)) return "";
    if (EQUAL(authority, "EPSG") && Flag("OSR_CT_USE_DEFAULT_EPSG_TOWGS84", "NO")) {
        std::array<double, 7> own{}, guessed{};
        official.AddGuessedTOWGS84();
        if (srs.GetTOWGS84(own.data()) == OGRERR_NONE &&
            official.GetTOWGS84(guessed.data()) == OGRERR_NONE && own == guessed)
            return "";
    }
    return name;
}

Crs MakeCrs(const std::string& text) {
    Crs result;
    result.srs.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    if (text.empty()) return result;
    if (result.srs.SetFromUserInput(text.c_str()) != OGRERR_NONE)
        throw NotFusable("GDAL can't read the CRS " + text.substr(0, 80));
    if (result.srs.IsEmpty()) return result;
    result.present = true;
    result.geographic = result.srs.IsGeographic();
    result.srs.GetAxis(nullptr, 0, &result.first_axis);
    result.text = OfficialCode(result.srs);
    if (result.text.empty()) result.text = ExportedText(result.srs);
    if (const char* center = result.srs.GetExtension("GEOGCS", "CENTER_LONG"))
        result.center_longitude = CPLAtof(center);
    return result;
}

// The words of a PROJ string, numbers in one spelling.
std::set<std::string> Words(const OGRSpatialReference& srs) {
    char* text = nullptr;
    srs.exportToProj4(&text);
    const CPLStringList list(CSLTokenizeString2(text ? text : "", " ", 0));
    CPLFree(text);
    std::set<std::string> result;
    for (int i = 0; i < list.size(); ++i) {
        std::string word = list[i];
        if (word.size() > 2 && word.compare(word.size() - 2, 2, ".0") == 0)
            word.resize(word.size() - 2);
        if (word != "+wktext" && word != "+towgs84=0,0,0,0,0,0,0") result.insert(word);
    }
    return result;
}

bool IsWebMercatorToLongLat(const Crs& from, const Crs& to) {
    if (!from.present || !to.present || !from.srs.IsProjected() || !to.geographic) return false;
    const std::vector<int>& mapping = to.srs.GetDataAxisToSRSAxisMapping();
    if (!(to.first_axis == OAO_North && mapping == std::vector<int>{2, 1}) &&
        !(to.first_axis == OAO_East && mapping == std::vector<int>{1, 2}))
        return false;
    const auto text = [](const char* value) { return std::string(value ? value : ""); };
    const std::string from_authority = text(from.srs.GetAuthorityName(nullptr));
    const std::string to_authority = text(to.srs.GetAuthorityName(nullptr));
    const std::string from_code = text(from.srs.GetAuthorityCode(nullptr));
    const std::string to_code = text(to.srs.GetAuthorityCode(nullptr));
    if (EQUAL(from_authority.c_str(), "EPSG") && EQUAL(to_authority.c_str(), "EPSG") &&
        !from_code.empty() && !to_code.empty())
        return to_code == "4326" &&
               (from_code == "3857" || from_code == "3785" || from_code == "900913");
    const std::set<std::string> from_words = Words(from.srs), to_words = Words(to.srs);
    return from_words == std::set<std::string>{"+proj=merc",      "+a=6378137", "+b=6378137",
                                               "+lat_ts=0",       "+lon_0=0",   "+x_0=0",
                                               "+y_0=0",          "+k=1",       "+units=m",
                                               "+nadgrids=@null", "+no_defs"} &&
           (to_words == std::set<std::string>{"+proj=longlat", "+datum=WGS84", "+no_defs"} ||
            to_words == std::set<std::string>{"+proj=longlat", "+ellps=WGS84", "+no_defs"});
}

Reprojection::Axes AxesOf(const Crs& crs) {
    if (!crs.present) return {1, 2};
    const std::vector<int>& mapping = crs.srs.GetDataAxisToSRSAxisMapping();
    if (mapping.size() < 2 || (mapping[0] == 1 && mapping[1] == 2)) return {1, 2};
    if (mapping.size() >= 3 && mapping[2] == -3)
        throw NotFusable("a CRS with its vertical axis turned is not fused");
    const auto known = [](int axis) { return std::abs(axis) == 1 || std::abs(axis) == 2; };
    if (!known(mapping[0]) || !known(mapping[1]))
        throw NotFusable("an axis mapping beyond x and y is not fused");
    return {mapping[0], mapping[1]};
}

// `given`: CENTER_LONG among the transformer's options, which counts for its source CRS.
std::optional<Reprojection::Wrap> WrapOf(const Crs& crs, const std::optional<double>& given) {
    if (!crs.geographic) return std::nullopt;
    const bool second = crs.first_axis != OAO_East;
    if (crs.center_longitude) return Reprojection::Wrap{*crs.center_longitude, second};
    if (given) return Reprojection::Wrap{*given, second};
    if (const char* config = CPLGetConfigOption("CENTER_LONG", nullptr))
        return Reprojection::Wrap{CPLAtof(config), second};
    return std::nullopt;
}

// The coordinate epoch that OGR gives PROJ with each point.
double TimeOf(const ReprojectionDescription& description, const Crs& from, const Crs& to) {
    for (const char* key : {"COORDINATE_EPOCH", "DST_COORDINATE_EPOCH", "SRC_COORDINATE_EPOCH"}) {
        const auto option = description.options.find(key);
        if (option == description.options.end()) continue;
        const double epoch = CPLAtof(option->second.c_str());
        if (epoch != 0) return epoch;
        break;
    }
    if (!Flag("OGR_CT_USE_SRS_COORDINATE_EPOCH", "YES")) return no_time;
    const bool from_dynamic = from.present && from.srs.IsDynamic(),
               to_dynamic = to.present && to.srs.IsDynamic();
    if (from_dynamic && !to_dynamic && from.srs.GetCoordinateEpoch() > 0)
        return from.srs.GetCoordinateEpoch();
    if (to_dynamic && !from_dynamic && to.srs.GetCoordinateEpoch() > 0)
        return to.srs.GetCoordinateEpoch();
    return no_time;
}

void RefuseWhatIsNotFused(const ReprojectionDescription& description) {
    static const std::set<std::string> known = {"AREA_OF_INTEREST",     "COORDINATE_OPERATION",
                                                "COORDINATE_EPOCH",     "SRC_COORDINATE_EPOCH",
                                                "DST_COORDINATE_EPOCH", "CENTER_LONG"};
    for (const auto& [key, value] : description.options)
        if (known.count(key) == 0)
            throw NotFusable("the transformer's option " + key + " is not fused");
    const char* selection = CPLGetConfigOption("OGR_CT_OP_SELECTION", "PROJ");
    if (!EQUAL(selection, "PROJ"))
        throw NotFusable(std::string("OGR_CT_OP_SELECTION is ") + selection);
    if (Flag("OSR_USE_APPROX_TMERC", "NO")) throw NotFusable("OSR_USE_APPROX_TMERC is set");
}

}  // namespace

CrsDefinition DefineCrs(const std::string& user_input) {
    CPLErrorStateBackuper backup;
    CPLErrorHandlerPusher quiet(CPLQuietErrorHandler);
    const Crs crs = MakeCrs(user_input);
    if (!crs.present) throw NotFusable("the CRS is empty");
    return {crs.text, AxesOf(crs) == Reprojection::Axes{2, 1}};
}

std::optional<AreaOfInterest> AreaOf(const ReprojectionDescription& description) {
    const auto option = description.options.find("AREA_OF_INTEREST");
    if (option == description.options.end()) return std::nullopt;
    const CPLStringList parts(CSLTokenizeString2(option->second.c_str(), ",", 0));
    if (parts.size() != 4) return std::nullopt;
    AreaOfInterest area{};
    for (int i = 0; i < 4; ++i) area[i] = CPLAtof(parts[i]);
    if (area == AreaOfInterest{}) return std::nullopt;
    const bool valid = std::fabs(area[0]) <= 180 && std::fabs(area[1]) <= 90 &&
                       std::fabs(area[2]) <= 180 && std::fabs(area[3]) <= 90 && area[1] <= area[3];
    return valid ? std::optional<AreaOfInterest>(area) : std::nullopt;
}

Reprojection PlanReprojection(const ReprojectionDescription& description, bool to_source) {
    CPLErrorStateBackuper backup;
    CPLErrorHandlerPusher quiet(CPLQuietErrorHandler);
    RefuseWhatIsNotFused(description);
    const Crs source = MakeCrs(description.source_srs), target = MakeCrs(description.target_srs);
    const auto given = description.options.find("COORDINATE_OPERATION");
    const std::string operation = given == description.options.end() ? "" : given->second;
    if (operation.empty() && (!source.present || !target.present))
        throw NotFusable("a CRS of the reprojection is missing");

    std::optional<double> center;
    const auto center_option = description.options.find("CENTER_LONG");
    if (center_option != description.options.end()) center = CPLAtof(center_option->second.c_str());
    const std::optional<Reprojection::Wrap> source_wrap = WrapOf(source, center);
    const std::optional<Reprojection::Wrap> target_wrap = WrapOf(target, std::nullopt);

    Reprojection result;
    if (operation.empty() && !source_wrap && !target_wrap &&
        source.srs.IsSame(&target.srs, equivalent)) {
        result.identity = true;
        return result;
    }
    const Crs& from = to_source ? target : source;
    const Crs& to = to_source ? source : target;
    result.axes_in = AxesOf(from);
    result.axes_out = AxesOf(to);
    result.wrap_in = to_source ? target_wrap : source_wrap;
    result.wrap_out = to_source ? source_wrap : target_wrap;
    result.time = TimeOf(description, from, to);
    result.inverse_threshold =
        CPLAtof(CPLGetConfigOption("THRESHOLD", from.geographic ? ".1" : "10000"));
    if (!operation.empty()) {
        result.candidates = GivenOperation(operation);
        result.inverse = to_source;
        return result;
    }
    if (IsWebMercatorToLongLat(from, to)) {
        result.web_mercator = true;
        result.web_mercator_swap = to.first_axis != OAO_East;
        return result;
    }
    // OGR turns the forward operation round for the way back, except where it has none because of
    // its own inverse of EPSG:3857: then it asks PROJ for an operation of that direction.
    const bool ask_again = to_source && IsWebMercatorToLongLat(source, target);
    result.inverse = to_source && !ask_again;
    result.candidates = ask_again ? FindOperations(target.text, source.text, AreaOf(description))
                                  : FindOperations(source.text, target.text, AreaOf(description));
    return result;
}

}  // namespace gdalgpu
