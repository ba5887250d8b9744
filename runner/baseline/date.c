/* SPDX-License-Identifier: MIT */
/* Dates such as 2027-01-31, which can be compared as text. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "baseline.h"

static bool read_date(const char *date, struct tm *tm)
{
    int used = 0;
    memset(tm, 0, sizeof *tm);
    if (strlen(date) != WCTS_DATE_SIZE - 1 ||
        sscanf(date, "%4d-%2d-%2d%n", &tm->tm_year, &tm->tm_mon, &tm->tm_mday, &used) != 3 ||
        used != WCTS_DATE_SIZE - 1)
        return false;
    tm->tm_year -= 1900;
    tm->tm_mon--;
    return true;
}

static void write_date(const struct tm *tm, char date[WCTS_DATE_SIZE])
{
    if (strftime(date, WCTS_DATE_SIZE, "%Y-%m-%d", tm) == 0)
        strcpy(date, "9999-12-31"); /* later than any date that can be written */
}

bool wcts_baseline_date_exists(const char *date)
{
    struct tm tm, normal;
    if (!read_date(date, &tm))
        return false;
    normal = tm;
    /* timegm makes 3 March of 31 February. */
    timegm(&normal);
    return normal.tm_year == tm.tm_year && normal.tm_mon == tm.tm_mon &&
           normal.tm_mday == tm.tm_mday;
}

void wcts_baseline_date_add(const char *date, int days, char later[WCTS_DATE_SIZE])
{
    struct tm tm;
    read_date(date, &tm);
    tm.tm_mday += days;
    timegm(&tm);
    write_date(&tm, later);
}

static bool wrong_variable(struct wcts_diagnostics *diagnostics, const char *variable,
                           const char *value, const char *expected)
{
    const struct wcts_place place = {variable, 0, NULL};
    wcts_error_at(diagnostics, &place, "is \"%s\", expected %s", value, expected);
    return false;
}

static void write_time(time_t time, char date[WCTS_DATE_SIZE])
{
    struct tm tm = {0};
    gmtime_r(&time, &tm);
    write_date(&tm, date);
}

bool wcts_baseline_today(char date[WCTS_DATE_SIZE], struct wcts_diagnostics *diagnostics)
{
    const char *today = getenv("WCTS_TODAY"), *epoch = getenv("SOURCE_DATE_EPOCH");
    if (today && today[0] != '\0') {
        if (!wcts_baseline_date_exists(today))
            return wrong_variable(diagnostics, "WCTS_TODAY", today, "a date such as 2027-01-31");
        memcpy(date, today, WCTS_DATE_SIZE);
    } else if (epoch && epoch[0] != '\0') {
        char *end;
        errno = 0;
        long long seconds = strtoll(epoch, &end, 10);
        if (errno != 0 || *end != '\0' || seconds < 0)
            return wrong_variable(diagnostics, "SOURCE_DATE_EPOCH", epoch, "seconds since 1970");
        write_time((time_t)seconds, date);
    } else {
        write_time(time(NULL), date);
    }
    return true;
}
