// unitconvert's times, by way of the modified Julian date: days since 17 November 1858. PROJ counts
// its years from day 45 on, the first of 1859, and so do these; years before are taken for 1858.
#pragma once

#include "core/core.h"

namespace kernels {
namespace step {

constexpr int kModifiedJulianDate = 0;
constexpr int kDecimalYear = 1;
constexpr int kGpsWeek = 2;
constexpr int kYearMonthDay = 3;  // as a number, 20201231

// Leap years of the Gregorian calendar from 1 to `year`, at least 1858.
GPU_FUNC double leap_years(double year) {
    return floor(year / 4) - floor(year / 100) + floor(year / 400);
}

// Date of the first day of a year from 1859 on; earlier, PROJ counts no leap days.
GPU_FUNC double first_day(double year) {
    const double leap_days = year > 1859 ? leap_years(year - 1) - 450 : 0.0;
    return (year - 1859) * 365 + 45 + leap_days;
}

GPU_FUNC bool is_leap_year(double year) {
    return year == 4 * floor(year / 4) &&
           (year != 100 * floor(year / 100) || year == 400 * floor(year / 400));
}

GPU_FUNC double days_in_year(double year) { return is_leap_year(year) ? 366 : 365; }

GPU_FUNC int days_in_month(bool leap, int month) {
    return month == 2                                              ? (leap ? 29 : 28)
           : month == 4 || month == 6 || month == 9 || month == 11 ? 30
                                                                   : 31;
}

// Days of the year before a month's first.
GPU_FUNC int days_before_month(bool leap, int month) {
    const int usual = (367 * month - 362) / 12;
    return month <= 2 ? usual : usual - (leap ? 1 : 2);
}

// The year that holds a date, 1858 for all before 1859.
GPU_FUNC double year_of(double date) {
    if (!(date >= 45)) {
        return 1858;
    }
    double year = floor(1859 + (date - 45) / 365.2425);
    if (date < first_day(year)) {
        year -= 1;
    }
    return date >= first_day(year + 1) ? year + 1 : year;
}

template <int kUnit>
GPU_FUNC double date_from(double time) {
    if (kUnit == kDecimalYear) {
        if (!(fabs(time) <= 10000)) {
            return 0;
        }
        const double year = floor(time);
        return first_day(year) + (time - year) * days_in_year(year);
    }
    if (kUnit == kGpsWeek) {
        return 44244 + time * 7;
    }
    if (kUnit == kYearMonthDay) {
        const double year = floor(time / 10000);
        const double months = floor((time - year * 10000) / 100);
        const int month = !(months >= 1) ? 1 : months > 12 ? 12 : (int)months;
        const bool leap = is_leap_year(year);
        const int length = days_in_month(leap, month);
        const double day = floor(time - year * 10000 - months * 100);
        return (year > 1859 ? first_day(year) : 45.0) - 1 + days_before_month(leap, month) +
               (day > length ? double(length) : day);
    }
    return time;
}

template <int kUnit>
GPU_FUNC double date_to(double date) {
    if (kUnit == kDecimalYear) {
        const double year = year_of(date);
        return year + (date - first_day(year)) / days_in_year(year);
    }
    if (kUnit == kGpsWeek) {
        return (date - 44244) / 7;
    }
    if (kUnit == kYearMonthDay) {
        const double whole = round(date);
        const double year = year_of(whole);
        const double day = whole - first_day(year);  // from 0
        if (year <= 1858) {
            return 18580101 + day;
        }
        const bool leap = is_leap_year(year);
        int month = (int)(day / 32) + 1;
        if (day >= days_before_month(leap, month) + days_in_month(leap, month)) {
            ++month;
        }
        return year * 10000 + month * 100 + (day - days_before_month(leap, month) + 1);
    }
    return date;
}

}  // namespace step
}  // namespace kernels
