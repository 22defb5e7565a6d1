// expect: a rule needs a name
// A file of this folder. It compiles; with HLOLINT_MISUSE it does not, and the compiler prints the line above.
template <bool has_name>
struct rule {
  static_assert(has_name, "a rule needs a name");
};

rule<true> right;

#ifdef HLOLINT_MISUSE
rule<false> wrong;
#endif
