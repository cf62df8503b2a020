// The primitives against plain loops, on each device that there is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gpu/device.h"
#include "gpu/primitives/primitives.h"

namespace gpu {
namespace {

constexpr int64_t kSizes[] = {0, 1, 2, 1000003};

// A stream, and arrays that go to the device and come back.
class Bench {
  public:
    explicit Bench(Device& device) : stream_(device.stream()) {}

    Stream& stream() { return *stream_; }

    template <typename T>
    T* put(const std::vector<T>& values) {
        T* device = make<T>(values.size());
        if (!values.empty()) stream_->upload(device, values.data(), values.size() * sizeof(T));
        return device;
    }

    // Memory for `count` results, filled with a byte that no result has left there.
    template <typename T>
    T* make(size_t count) {
        const size_t bytes = std::max<size_t>(1, count) * sizeof(T);
        memory_.push_back(stream_->allocate(bytes));
        stream_->fill(memory_.back()->address(), 0xa5, bytes);
        return static_cast<T*>(memory_.back()->address());
    }

    template <typename T>
    std::vector<T> get(const T* device, size_t count) {
        std::vector<T> values(count);
        if (count > 0) stream_->download(values.data(), device, count * sizeof(T));
        stream_->synchronize();
        return values;
    }

  private:
    std::unique_ptr<Stream> stream_;
    std::vector<std::unique_ptr<Memory>> memory_;
};

// Values with both signs where T has them, repeated ones, and now and then NaN, infinity and -0.
template <typename T>
std::vector<T> RandomValues(int64_t count, int64_t distinct, bool special = true) {
    std::mt19937_64 random(42);
    std::vector<T> values(static_cast<size_t>(count));
    for (T& value : values) {
        const int64_t number = static_cast<int64_t>(random() % distinct);
        if constexpr (std::is_signed_v<T>) {
            const int64_t centred = number - distinct / 2;
            value = static_cast<T>(centred);
        } else {
            value = static_cast<T>(number);
        }
        if constexpr (std::is_floating_point_v<T>) {
            value /= 8;
            if (special) {
                switch (random() % 16) {
                    case 0:
                        value = std::numeric_limits<T>::quiet_NaN();
                        break;
                    case 1:
                        value = -std::numeric_limits<T>::quiet_NaN();
                        break;
                    case 2:
                        value = T(-0.0);
                        break;
                    case 3:
                        value = std::numeric_limits<T>::infinity();
                        break;
                    case 4:
                        value = -std::numeric_limits<T>::infinity();
                        break;
                }
            }
        }
    }
    return values;
}

template <typename T>
bool IsNaN(T value) {
    return value != value;
}

// The same value, with the same sign also where it is 0 or NaN.
template <typename T>
bool Same(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
        if (std::signbit(a) != std::signbit(b)) return false;
    }
    return a == b || (IsNaN(a) && IsNaN(b));
}

std::shared_ptr<Device> MakeDevice(const std::string& kind) {
    return kind == "CUDA" ? MakeCudaDevice({}) : MakeHostDevice({});
}

class Primitives : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        static std::map<std::string, std::shared_ptr<Device>> devices;
        std::shared_ptr<Device>& device = devices[GetParam()];
        try {
            if (!device) device = MakeDevice(GetParam());
        } catch (const Error& error) {
            const char* wanted = std::getenv("GDAL_GPU_DEVICE");
            const bool optional =
                GetParam() == "CUDA" && (!wanted || std::string(wanted) != "CUDA");
            if (!optional || error.kind() != Error::Kind::Unavailable) throw;
            GTEST_SKIP() << "no CUDA device here: " << error.what();
        }
#if !defined(GDALGPU_WITH_CUB)
        if (GetParam() == "CUDA") GTEST_SKIP() << "built without CUB";
#endif
        bench_ = std::make_unique<Bench>(*device);
    }

    template <typename T>
    void ExpectExclusiveSum();
    template <typename T>
    void ExpectReduce();
    template <typename T>
    void ExpectSegmentedReduce();
    template <typename Key, typename Value>
    void ExpectSortPairs();
    template <typename T>
    void ExpectSelect();
    template <typename T>
    void ExpectRunLengthEncode();
    template <typename T>
    void ExpectHistogram(double lower, double upper);

    std::unique_ptr<Bench> bench_;
};

template <typename T>
void Primitives::ExpectExclusiveSum() {
    for (const int64_t count : kSizes) {
        SCOPED_TRACE(count);
        std::vector<T> in = RandomValues<T>(count, 2000);
        // A sum that doesn't fit into T.
        if (count > 2) in[0] = in[1] = std::numeric_limits<T>::max() / 2 + 1;
        Wide<T>* out = bench_->make<Wide<T>>(count);
        ExclusiveSum(bench_->stream(), bench_->put(in), out, count);
        std::vector<Wide<T>> expected(in.size());
        Wide<T> sum = 0;
        for (size_t i = 0; i < in.size(); ++i) {
            expected[i] = sum;
            sum += in[i];
        }
        EXPECT_EQ(bench_->get(out, count), expected);
    }
}

TEST_P(Primitives, ExclusiveSumCountsIn64Bits) {
    ExpectExclusiveSum<int32_t>();
    ExpectExclusiveSum<uint32_t>();
}

TEST_P(Primitives, ExclusiveSumOf64BitIntegers) {
    for (const int64_t count : kSizes) {
        const std::vector<int64_t> in = RandomValues<int64_t>(count, int64_t(1) << 40);
        int64_t* out = bench_->make<int64_t>(count);
        ExclusiveSum(bench_->stream(), bench_->put(in), out, count);
        std::vector<int64_t> expected(in.size());
        std::vector<uint64_t> expected_unsigned(in.size());
        for (size_t i = 1; i < in.size(); ++i) expected[i] = expected[i - 1] + in[i - 1];
        EXPECT_EQ(bench_->get(out, count), expected);

        const std::vector<uint64_t> unsigned_in(in.begin(), in.end());
        uint64_t* unsigned_out = bench_->make<uint64_t>(count);
        ExclusiveSum(bench_->stream(), bench_->put(unsigned_in), unsigned_out, count);
        EXPECT_EQ(bench_->get(unsigned_out, count),
                  std::vector<uint64_t>(expected.begin(), expected.end()));
    }
}

// What a reduction should give, and by how much a sum may differ from it.
template <typename T>
struct ExpectedReduction {
    Wide<T> value;
    double tolerance = 0;
};

template <typename T>
ExpectedReduction<T> PlainReduction(Reduction reduction, const T* begin, const T* end) {
    ExpectedReduction<T> expected{Identity<T>(reduction)};
    double magnitude = 0;
    for (const T* p = begin; p != end; ++p) {
        const Wide<T> value = *p;
        switch (reduction) {
            case Reduction::Sum:
                expected.value += value;
                magnitude += std::abs(static_cast<double>(value));
                break;
            case Reduction::Min:
                if (!IsNaN(value)) expected.value = std::min(expected.value, value);
                break;
            case Reduction::Max:
                if (!IsNaN(value)) expected.value = std::max(expected.value, value);
                break;
        }
    }
    if (std::is_floating_point_v<T>) expected.tolerance = 1e-12 * magnitude;
    return expected;
}

template <typename T>
void ExpectEqual(Wide<T> actual, const ExpectedReduction<T>& expected) {
    if (std::isfinite(expected.tolerance) && expected.tolerance > 0) {
        EXPECT_NEAR(actual, expected.value, expected.tolerance);
    } else if (IsNaN(expected.value)) {
        EXPECT_TRUE(IsNaN(actual)) << actual;
    } else {
        EXPECT_EQ(actual, expected.value);
    }
}

constexpr Reduction kReductions[] = {Reduction::Sum, Reduction::Min, Reduction::Max};

template <typename T>
void Primitives::ExpectReduce() {
    for (const int64_t count : kSizes) {
        for (const bool special : {false, true}) {
            std::vector<T> in = RandomValues<T>(count, 4000, special);
            if (count > 2 && !special) in[0] = in[1] = std::numeric_limits<T>::max() / 4;
            const T* device = bench_->put(in);
            for (const Reduction reduction : kReductions) {
                SCOPED_TRACE(std::to_string(count) + " values, reduction " +
                             std::to_string(static_cast<int>(reduction)));
                Wide<T>* out = bench_->make<Wide<T>>(1);
                Reduce(bench_->stream(), reduction, device, out, count);
                ExpectEqual<T>(bench_->get(out, 1)[0],
                               PlainReduction(reduction, in.data(), in.data() + count));
            }
        }
    }
}

TEST_P(Primitives, ReduceOfIntegersIsExact) {
    ExpectReduce<int32_t>();
    ExpectReduce<uint32_t>();
    ExpectReduce<int64_t>();
    ExpectReduce<uint64_t>();
}

TEST_P(Primitives, ReduceOfFloatsIsSummedInDoubleAndSkipsNaNInMinAndMax) {
    ExpectReduce<float>();
    ExpectReduce<double>();
}

TEST_P(Primitives, ReduceOfNaNAloneGivesTheIdentity) {
    const float* in =
        bench_->put(std::vector<float>(1000, std::numeric_limits<float>::quiet_NaN()));
    double* out = bench_->make<double>(1);
    Reduce(bench_->stream(), Reduction::Min, in, out, 1000);
    EXPECT_EQ(bench_->get(out, 1)[0], std::numeric_limits<double>::infinity());
    Reduce(bench_->stream(), Reduction::Max, in, out, 1000);
    EXPECT_EQ(bench_->get(out, 1)[0], -std::numeric_limits<double>::infinity());
    Reduce(bench_->stream(), Reduction::Sum, in, out, 1000);
    EXPECT_TRUE(std::isnan(bench_->get(out, 1)[0]));
}

template <typename T>
void Primitives::ExpectSegmentedReduce() {
    // Segments of every length from 0 to 300, and one long one.
    std::vector<int64_t> offsets{0};
    for (int length = 0; length <= 300; ++length) offsets.push_back(offsets.back() + length);
    offsets.push_back(offsets.back() + 200001);
    const int64_t segments = static_cast<int64_t>(offsets.size()) - 1;
    const std::vector<T> in = RandomValues<T>(offsets.back(), 4000);
    const T* device = bench_->put(in);
    const int64_t* device_offsets = bench_->put(offsets);
    for (const Reduction reduction : kReductions) {
        Wide<T>* out = bench_->make<Wide<T>>(segments);
        SegmentedReduce(bench_->stream(), reduction, device, out, segments, device_offsets);
        const std::vector<Wide<T>> actual = bench_->get(out, segments);
        for (int64_t s = 0; s < segments; ++s) {
            SCOPED_TRACE("segment " + std::to_string(s) + ", reduction " +
                         std::to_string(static_cast<int>(reduction)));
            ExpectEqual<T>(actual[s], PlainReduction(reduction, in.data() + offsets[s],
                                                     in.data() + offsets[s + 1]));
        }
    }
    // No segment: nothing is written.
    SegmentedReduce(bench_->stream(), Reduction::Sum, device, static_cast<Wide<T>*>(nullptr), 0,
                    device_offsets);
    bench_->stream().synchronize();
}

TEST_P(Primitives, SegmentedReduceOfEachType) {
    ExpectSegmentedReduce<int32_t>();
    ExpectSegmentedReduce<uint32_t>();
    ExpectSegmentedReduce<int64_t>();
    ExpectSegmentedReduce<uint64_t>();
    ExpectSegmentedReduce<float>();
    ExpectSegmentedReduce<double>();
}

template <typename Key, typename Value>
void Primitives::ExpectSortPairs() {
    for (const int64_t count : kSizes) {
        SCOPED_TRACE(count);
        std::vector<Key> keys = RandomValues<Key>(count, 5000);
        if (count > 2) {
            keys[1] = std::numeric_limits<Key>::lowest();
            keys[2] = std::numeric_limits<Key>::max();
        }
        std::vector<Value> values(keys.size());
        for (size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<Value>(i);  // exact below 2^24
        Key* keys_out = bench_->make<Key>(count);
        Value* values_out = bench_->make<Value>(count);
        SortPairs(bench_->stream(), bench_->put(keys), keys_out, bench_->put(values), values_out,
                  count);

        std::vector<size_t> order(keys.size());
        for (size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
            if (IsNaN(keys[a]) || IsNaN(keys[b])) return !IsNaN(keys[a]) && IsNaN(keys[b]);
            return keys[a] < keys[b];
        });
        const std::vector<Key> actual_keys = bench_->get(keys_out, count);
        const std::vector<Value> actual_values = bench_->get(values_out, count);
        size_t wrong = 0;
        for (size_t i = 0; i < order.size(); ++i) {
            Key expected = keys[order[i]];
            if (IsNaN(expected)) expected = std::numeric_limits<Key>::quiet_NaN();
            if (expected == 0) expected = 0;
            wrong += !Same(actual_keys[i], expected) || actual_values[i] != values[order[i]];
        }
        EXPECT_EQ(wrong, 0u);
    }
}

TEST_P(Primitives, SortPairsIsStableForIntegers) {
    ExpectSortPairs<int32_t, uint32_t>();
    ExpectSortPairs<uint32_t, int32_t>();
    ExpectSortPairs<int64_t, int64_t>();
    ExpectSortPairs<uint64_t, float>();
}

TEST_P(Primitives, SortPairsPutsNaNLastAndMakesZerosEqual) {
    ExpectSortPairs<float, uint64_t>();
    ExpectSortPairs<double, uint32_t>();
    ExpectSortPairs<double, double>();
}

template <typename T>
void Primitives::ExpectSelect() {
    for (const int64_t count : kSizes) {
        for (const int keep : {0, 37, 256}) {  // none, some, all
            SCOPED_TRACE(std::to_string(count) + " values, " + std::to_string(keep) +
                         " of 256 kept");
            const std::vector<T> in = RandomValues<T>(count, 100000, false);
            std::mt19937 random(7);
            std::vector<uint8_t> flags(in.size());
            for (uint8_t& flag : flags)
                flag = static_cast<int>(random() % 256) < keep ? 1 + random() % 255 : 0;
            std::vector<T> expected;
            for (size_t i = 0; i < in.size(); ++i) {
                if (flags[i]) expected.push_back(in[i]);
            }
            T* out = bench_->make<T>(expected.size());
            int64_t* selected = bench_->make<int64_t>(1);
            Select(bench_->stream(), bench_->put(in), bench_->put(flags), out, selected, count);
            ASSERT_EQ(bench_->get(selected, 1)[0], static_cast<int64_t>(expected.size()));
            EXPECT_EQ(bench_->get(out, expected.size()), expected);
        }
    }
}

TEST_P(Primitives, SelectKeepsTheOrderOfFlaggedValues) {
    ExpectSelect<int32_t>();
    ExpectSelect<uint64_t>();
    ExpectSelect<float>();
    ExpectSelect<double>();
}

template <typename T>
void Primitives::ExpectRunLengthEncode() {
    for (const int64_t count : kSizes) {
        for (const int64_t distinct : {1, 2, 1000}) {
            SCOPED_TRACE(std::to_string(count) + " values, " + std::to_string(distinct) +
                         " distinct");
            const std::vector<T> in = RandomValues<T>(count, distinct, distinct > 1);
            std::vector<T> expected_values;
            std::vector<int64_t> expected_lengths;
            for (const T value : in) {
                const bool same =
                    !expected_values.empty() && (value == expected_values.back() ||
                                                 (IsNaN(value) && IsNaN(expected_values.back())));
                if (same) {
                    ++expected_lengths.back();
                } else {
                    expected_values.push_back(value);
                    expected_lengths.push_back(1);
                }
            }
            T* values = bench_->make<T>(count);
            int64_t* lengths = bench_->make<int64_t>(count);
            int64_t* runs = bench_->make<int64_t>(1);
            RunLengthEncode(bench_->stream(), bench_->put(in), values, lengths, runs, count);
            ASSERT_EQ(bench_->get(runs, 1)[0], static_cast<int64_t>(expected_values.size()));
            EXPECT_EQ(bench_->get(lengths, expected_lengths.size()), expected_lengths);
            const std::vector<T> actual = bench_->get(values, expected_values.size());
            size_t wrong = 0;
            for (size_t i = 0; i < actual.size(); ++i) {
                wrong += !(actual[i] == expected_values[i] ||
                           (IsNaN(actual[i]) && IsNaN(expected_values[i])));
            }
            EXPECT_EQ(wrong, 0u);
        }
    }
}

TEST_P(Primitives, RunLengthEncodeOfIntegers) {
    ExpectRunLengthEncode<int32_t>();
    ExpectRunLengthEncode<uint64_t>();
}

TEST_P(Primitives, RunLengthEncodeTakesNaNsAsOneRunAndZerosAsEqual) {
    ExpectRunLengthEncode<float>();
    ExpectRunLengthEncode<double>();
}

template <typename T>
void Primitives::ExpectHistogram(double lower, double upper) {
    for (const int64_t count : kSizes) {
        for (const int bins : {1, 7, 256, 5000}) {
            SCOPED_TRACE(std::to_string(count) + " values, " + std::to_string(bins) + " bins");
            const std::vector<T> in = RandomValues<T>(count, 4000);
            std::vector<uint64_t> expected(bins);
            for (const T value : in) {
                const double v = static_cast<double>(value);
                if (!(v >= lower) || !(v < upper)) continue;
                const double bin = std::floor((v - lower) * (bins / (upper - lower)));
                ++expected[std::min(static_cast<int>(bin), bins - 1)];
            }
            uint64_t* counts = bench_->make<uint64_t>(bins);
            Histogram(bench_->stream(), bench_->put(in), counts, bins, lower, upper, count);
            EXPECT_EQ(bench_->get(counts, bins), expected);
        }
    }
}

TEST_P(Primitives, HistogramCountsEachTypeAndLeavesOutWhatIsOutside) {
    ExpectHistogram<int32_t>(-1000, 999.5);
    ExpectHistogram<uint32_t>(100, 3000);
    ExpectHistogram<int64_t>(-2500, 2500);
    ExpectHistogram<uint64_t>(0, 4000);
    ExpectHistogram<float>(-200.1, 200.3);
    ExpectHistogram<double>(-0.5, 255.5);
}

TEST_P(Primitives, HistogramRefusesBadRanges) {
    const float* in = bench_->put(std::vector<float>{1, 2, 3});
    uint64_t* counts = bench_->make<uint64_t>(10);
    const double infinity = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double largest = std::numeric_limits<double>::max();
    const std::pair<double, double> ranges[] = {
        {1, 1}, {2, 1}, {nan, 1}, {0, nan}, {-infinity, 0}, {0, infinity}, {-largest, largest}};
    for (const auto& [lower, upper] : ranges) {
        EXPECT_THROW(Histogram(bench_->stream(), in, counts, 10, lower, upper, 3), Error)
            << lower << " " << upper;
    }
    EXPECT_THROW(Histogram(bench_->stream(), in, counts, 0, 0, 1, 3), Error);
    EXPECT_THROW(Histogram(bench_->stream(), in, counts, (1 << 24) + 1, 0, 1, 3), Error);
}

TEST_P(Primitives, NegativeCountsAreRefused) {
    const uint32_t* in = bench_->put(std::vector<uint32_t>{1});
    uint64_t* out = bench_->make<uint64_t>(1);
    try {
        Reduce(bench_->stream(), Reduction::Sum, in, out, -1);
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::InvalidArgument);
        EXPECT_STREQ(error.what(), "reduce: a count of -1 is negative");
    }
    EXPECT_THROW(ExclusiveSum(bench_->stream(), in, out, -1), Error);
}

// Results of one are the input of the next, with no synchronization between.
TEST_P(Primitives, WorkIsInOrderOnAStream) {
    const std::vector<uint32_t> in = RandomValues<uint32_t>(1000003, 50);
    const int64_t count = static_cast<int64_t>(in.size());
    std::vector<uint32_t> indices(in.size());
    for (size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<uint32_t>(i);
    uint32_t* sorted = bench_->make<uint32_t>(count);
    uint32_t* sorted_indices = bench_->make<uint32_t>(count);
    uint32_t* values = bench_->make<uint32_t>(count);
    int64_t* lengths = bench_->make<int64_t>(count);
    int64_t* runs = bench_->make<int64_t>(1);
    SortPairs(bench_->stream(), bench_->put(in), sorted, bench_->put(indices), sorted_indices,
              count);
    RunLengthEncode(bench_->stream(), sorted, values, lengths, runs, count);
    int64_t* ends = bench_->make<int64_t>(50);
    ExclusiveSum(bench_->stream(), lengths, ends, 50);
    EXPECT_EQ(bench_->get(runs, 1)[0], 50);
    std::vector<int64_t> expected(50);
    for (const uint32_t value : in) {
        for (uint32_t larger = value + 1; larger < 50; ++larger) ++expected[larger];
    }
    EXPECT_EQ(bench_->get(ends, 50), expected);
}

INSTANTIATE_TEST_SUITE_P(Devices, Primitives, testing::Values("HOST", "CUDA"),
                         [](const auto& info) { return info.param; });

#if !defined(GDALGPU_WITH_CUB)
// A build without a toolkit says what to do. The stream stands for one of a CUDA device.
class CudaStreamStandIn : public Stream {
  public:
    std::unique_ptr<Memory> allocate(size_t) override { return nullptr; }
    void upload(void*, const void*, size_t) override {}
    void download(void*, const void*, size_t) override {}
    void fill(void*, int, size_t) override {}
    const void* resident(const std::shared_ptr<const std::vector<std::byte>>&) override {
        return nullptr;
    }
    void launch(const Kernel&, Extent, const void*, size_t) override {}
    void synchronize() override {}
    void* native() const override { return const_cast<CudaStreamStandIn*>(this); }
};

TEST(PrimitivesWithoutCub, SayWhatIsMissingOnCuda) {
    CudaStreamStandIn stream;
    const float value = 1;
    double sum;
    try {
        Reduce(stream, Reduction::Sum, &value, &sum, 1);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::Unavailable);
        EXPECT_NE(std::string(error.what()).find("install the CUDA toolkit"), std::string::npos)
            << error.what();
    }
}
#endif

}  // namespace
}  // namespace gpu
