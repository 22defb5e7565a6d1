// Which words are names, and where (hlo_text.md 1): a word that touches a colon always, any other bare word unless it
// is reserved.
#include <hlolint/parse_hlo.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace hlolint;

namespace {

const std::vector<std::string> element_types{
    "pred",       "s1",        "s2",       "s4",       "s8",       "s16",      "s32",           "s64",    "u1",
    "u2",         "u4",        "u8",       "u16",      "u32",      "u64",      "f16",           "bf16",   "f32",
    "f64",        "c64",       "c128",     "f8e5m2",   "f8e4m3",   "f8e4m3fn", "f8e4m3b11fnuz", "f8e3m4", "f8e5m2fnuz",
    "f8e4m3fnuz", "f8e8m0fnu", "f4e2m1fn", "f6e2m3fn", "f6e3m2fn", "token",    "opaque"};
const std::vector<std::string> keywords{
    "true",        "false",      "inf",        "nan",           "HloModule",
    "ENTRY",       "ROOT",       "FileNames",  "FunctionNames", "FileLocations",
    "StackFrames", "maximal",    "replicated", "manual",        "last_tile_dim_replicate",
    "shard_as",    "shard_like", "unknown",    "unreduced"};
/// Words that look reserved and are not.
const std::vector<std::string> free_words{
    "tuple",        "buffer",         "float",    "pred_",    "pred.1", "Pred",    "f33",
    "u128",         "opaque_type",    "NaN",      "infinity", "True",   "root",    "entry",
    "is_scheduled", "parameter",      "constant", "add",      "mesh",   "devices", "to_apply",
    "sum",          "last_tile_dims", "metadata", "default",  "x",      "_",       "b01f_01io"};

std::vector<std::string> reserved_words() {
  std::vector<std::string> all = element_types;
  all.insert(all.end(), keywords.begin(), keywords.end());
  return all;
}

/// Errors of the text with NAME in place of every `@`; `line:column rule` each.
std::string errors(std::string text, const std::string& name) {
  for (std::size_t at = 0; (at = text.find('@', at)) != text.npos; at += name.size()) text.replace(at, 1, name);
  std::string out;
  for (const diagnostic& d : parse_hlo(source(std::move(text))).diagnostics) {
    if (d.level != severity::error) continue;
    const line_column at = d.where.begin();
    out += std::to_string(at.line) + ":" + std::to_string(at.column) + " " + d.rule + " ";
  }
  return out;
}

struct place {
  const char* what;
  const char* text;          ///< `@` stands for the word
  std::size_t line, column;  ///< of the last @
};

/// Everywhere that a name may be written without a percent sign.
const place places[] = {
    {"the module", "HloModule @, num_partitions=2\nENTRY e {\n  ROOT p = f32[] parameter(0)\n}\n", 1, 11},
    {"the entry", "HloModule m\nENTRY @ {\n  ROOT p = f32[] parameter(0)\n}\n", 2, 7},
    {"a computation and the operation that calls it",
     "HloModule m\n@ {\n  ROOT q = f32[] parameter(0)\n}\nENTRY e {\n  p = f32[] parameter(0)\n  ROOT c = f32[] "
     "call(p), to_apply=@\n}\n",
     2, 1},
    {"an instruction", "HloModule m\nENTRY e {\n  @ = f32[] parameter(0)\n  ROOT z.9 = f32[] constant(1)\n}\n", 3, 3},
    {"the root", "HloModule m\nENTRY e {\n  ROOT @ = f32[] parameter(0)\n}\n", 3, 8},
    {"an operand", "HloModule m\nENTRY e {\n  %@ = f32[] constant(1)\n  ROOT z.9 = f32[] negate(@)\n}\n", 4, 27},
    {"a control predecessor",
     "HloModule m\nENTRY e {\n  %@ = f32[] constant(1)\n  ROOT z.9 = f32[] constant(2), control-predecessors={@}\n}\n",
     4, 55},
    {"a called computation of several",
     "HloModule m\n%@ {\n  ROOT q = f32[] parameter(0)\n}\nENTRY e {\n  p = f32[] parameter(0)\n"
     "  ROOT c = f32[] custom-call(p), custom_call_target=\"t\", called_computations={@}\n}\n",
     7, 79},
};

}  // namespace

TEST_CASE("before a colon every word is a parameter's name") {
  std::vector<std::string> all = reserved_words();
  all.insert(all.end(), free_words.begin(), free_words.end());
  for (const std::string& word : all) {
    CAPTURE(word);
    CHECK(errors("HloModule m\nENTRY %main (@: pred[], a: f32[]) -> f32[] {\n  %c = pred[] parameter(0)\n  ROOT %a = "
                 "f32[] parameter(1)\n}\n",
                 word) == "");
    CHECK(errors("HloModule m\nmain (a: f32[], @: f32[2]) -> f32[] {\n  ROOT a = f32[] parameter(0)\n  b.7 = f32[2] "
                 "parameter(1)\n}\n",
                 word) == "");
    CHECK(errors("HloModule m\nENTRY %main (@:(f32[], pred[])) -> (f32[], pred[]) {\n  ROOT %a = (f32[], pred[]) "
                 "parameter(0)\n}\n",
                 word) == "");
  }
}

TEST_CASE("the colon must touch the word, and without one a reserved word is no parameter's name") {
  for (const std::string& word : reserved_words()) {
    CAPTURE(word);
    CHECK(
        errors("HloModule m\nENTRY e (@ : f32[]) -> f32[] {\n  ROOT a = f32[] parameter(0)\n}\n", word).substr(0, 10) ==
        "2:10 SYN00");
    CHECK(errors("HloModule m\nENTRY e (@ f32[]) -> f32[] {\n  ROOT a = f32[] parameter(0)\n}\n", word).substr(0, 10) ==
          "2:10 SYN00");
  }
}

TEST_CASE("elsewhere exactly the reserved words are refused as bare names") {
  for (const place& p : places) {
    CAPTURE(std::string(p.what));
    for (const std::string& word : reserved_words()) {
      CAPTURE(word);
      std::string text = p.text;
      for (std::size_t at = 0; (at = text.find('@', at)) != text.npos; at += word.size()) text.replace(at, 1, word);
      const parsed_file file = parse_hlo(source(text));
      CHECK(file.status != parse_status::ok);
      // Where a line may begin, these words begin something else.
      if (p.column < 4 && (word == "ROOT" || word == "ENTRY" || word == "HloModule" || word == "FileNames")) continue;
      // At the word, or right after it.
      const bool refused = std::any_of(file.diagnostics.begin(), file.diagnostics.end(), [&](const diagnostic& d) {
        const line_column at = d.where.begin();
        return d.rule == "SYN001" && at.line == p.line && at.column >= p.column &&
               at.column <= p.column + word.size() + 1;
      });
      CHECK(refused);
    }
    for (const std::string& word : free_words) {
      CAPTURE(word);
      CHECK(errors(p.text, word) == "");
    }
  }
}

TEST_CASE("a word that touches a colon is a name wherever a name may be") {
  for (const std::string& word : reserved_words()) {
    CAPTURE(word);
    CHECK(errors("HloModule @:, num_partitions=2\nENTRY e {\n  ROOT p = f32[] parameter(0)\n}\n", word) == "");
    CHECK(errors("HloModule m\n%@ {\n  ROOT q = f32[] parameter(0)\n}\nENTRY e {\n  p = f32[] parameter(0)\n  ROOT c = "
                 "f32[] call(p), to_apply=@:\n}\n",
                 word) == "");
  }
}

TEST_CASE("after a percent sign every word is a name, but an instruction cannot be called like an element type") {
  for (const std::string& word : reserved_words()) {
    CAPTURE(word);
    bool type = false;
    for (const std::string& t : element_types) type |= t == word;
    const std::string text =
        "HloModule m\n%@ {\n  ROOT q = f32[] parameter(0)\n}\nENTRY e {\n  %@ = f32[] parameter(0)\n"
        "  %n = f32[] negate(%@)\n  ROOT c = f32[] call(%n), to_apply=%@, control-predecessors={%@}\n}\n";
    CHECK(errors(text, word) == (type ? "6:4 SYN002 " : ""));
  }
}
