# For Doxygen only: the members that every check has, with the comments that lint/check.hpp gives once for all of them.
s|^(  static constexpr rule about\{)|  /// Id, name, level and explanation.\n\1|
s|^(  static constexpr auto options =)|  /// What users can set, with its help.\n\1|
s|^(  (bool\|int\|double\|byte_count\|std::int64_t) [a-z0-9_]+ = [^;/]*;)$|\1  ///< an option, explained in `options`|
s|^(  void operator\(\)\()|  /// Reports what the rule is about.\n\1|
