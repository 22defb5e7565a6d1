// The page around the data of html_data.hpp.
#pragma once

#include <array>
#include <string_view>

namespace hlolint {

/// Before and after the data; one text after the other.
inline constexpr std::array<std::string_view, 1> html_page_head{
    "<!doctype html>\n<html lang=\"en\">\n<title>hlolint</title>\n<script type=\"application/json\" id=\"data\">"};
inline constexpr std::array<std::string_view, 1> html_page_tail{"</script>\n</html>\n"};

}  // namespace hlolint
