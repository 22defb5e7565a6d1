// The Python module hlolint._hlolint: parsed files, modules, computations and instructions as views.
#include "views.hpp"

#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/text/shape_text.hpp>

#include <hlolint/reading/read_file.hpp>
#include <hlolint/reading/read_proto.hpp>
#include <hlolint/text/file.hpp>
#include <hlolint/tool/parse_parts.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace hlolint;
using namespace hlolint::command;
using namespace hlolint::python;
using namespace nanobind::literals;

namespace {

std::size_t index_in(std::size_t count, Py_ssize_t i) {
  if (i < 0) i += static_cast<Py_ssize_t>(count);
  if (i < 0 || static_cast<std::size_t>(i) >= count) throw nb::index_error("there is no instruction of that number");
  return static_cast<std::size_t>(i);
}

nb::dict dict_of(const diagnostic& problem) {
  const line_column begin = problem.where.begin();
  nb::dict out;
  out["rule"] = problem.rule;
  out["level"] = text(name_of(problem.level));
  out["message"] = text(problem.message);
  out["path"] = text(problem.where.in.path());
  out["line"] = begin.line;
  out["column"] = begin.column;
  return out;
}

nb::tuple dimensions_of(const shape& s) {
  nb::list out;
  for (std::size_t i = 0; i < s.rank(); ++i) out.append(s.dimensions[i].size);
  return nb::tuple(out);
}

nb::dict metadata_of(hlo_instruction i) {
  nb::dict out;
  const auto written = get<op_metadata>(i);
  if (!written) return out;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) out[name] = text(value);
  };
  add("op_type", written->op_type), add("op_name", written->op_name), add("source_file", written->source_file);
  if (written->source_line) out["source_line"] = written->source_line;
  add("deduplicated_name", written->deduplicated_name), add("scheduling_name", written->scheduling_name);
  if (written->stack_frame_id) out["stack_frame_id"] = written->stack_frame_id;
  return out;
}

nb::list list_of(const module_handle& owner, const auto& views) {
  nb::list out;
  for (const auto view : views) out.append(or_none(owner, view));
  return out;
}

// One string object for each known opcode, as Python interns names; unknown opcodes are made anew.
nb::str opcode_of(const instruction& i) {
  static std::vector<PyObject*>& known = *new std::vector<PyObject*>(256);  // never freed: the process ends with them
  const std::string_view written = i.view.opcode_text();
  const auto at = static_cast<std::size_t>(i.view.opcode());
  if (at >= known.size() || written != name_of(i.view.opcode())) return text(written);
  if (!known[at]) known[at] = text(written).release().ptr();
  return nb::borrow<nb::str>(known[at]);
}

void add_shape(nb::module_& m) {
  nb::class_<shape>(m, "Shape", "An array, tuple, token or opaque value, as the text declares it.")
      .def_prop_ro(
          "type", [](const shape& s) { return text(name_of(s.type)); }, "Element type, such as 'bf16'.")
      .def_prop_ro("dimensions", &dimensions_of, "Sizes; bounds of dynamic dimensions, -1 for unbounded ones.")
      .def_prop_ro("is_tuple", &shape::is_tuple)
      .def_prop_ro("is_static", &shape::is_static)
      .def_prop_ro("memory_space", &shape::memory_space, "0 is main memory.")
      .def_prop_ro(
          "minor_to_major",
          [](const shape& s) -> nb::object {
            if (!s.layout) return nb::none();
            return nb::cast(
                std::vector<std::int64_t>(s.layout->minor_to_major.begin(), s.layout->minor_to_major.end()));
          },
          "Order of dimensions in memory, the most minor first; None if no layout is written.")
      .def_prop_ro(
          "elements", [](const shape& s) { return s.elements; }, "Shapes of a tuple's elements.")
      .def_prop_ro(
          "bytes", [](const shape& s) { return dense_size_of_leaves(s); },
          "Bytes of all arrays without padding; None if unknown.")
      .def("__str__", [](const shape& s) { return text(to_string(s)); })
      .def("__repr__", [](const shape& s) { return text("<Shape " + to_string(s) + ">"); })
      .def(
          "__eq__", [](const shape& a, const shape& b) { return a == b; }, nb::is_operator())
      .def("__hash__", [](const shape& s) { return std::hash<std::string>()(to_string(s)); });
}

void add_instruction(nb::module_& m) {
  nb::class_<instruction>(m, "Instruction", "One instruction; a view that keeps its module alive.")
      .def_prop_ro("name", [](const instruction& i) { return text(i.view.name()); })
      .def_prop_ro("opcode", &opcode_of, "The opcode as written, such as 'all-gather-start'.")
      .def_prop_ro(
          "shape", [](const instruction& i) { return i.view.shape() ? nb::cast(*i.view.shape()) : nb::none(); },
          "None if the text has none.")
      .def_prop_ro(
          "shape_text",
          [](const instruction& i) { return i.view.shape() ? i.owner->shape_text(*i.view.shape()) : nb::str(""); },
          "The shape as XLA prints it; cheaper than str(shape).")
      .def_prop_ro(
          "operands", [](const instruction& i) { return list_of(i.owner, i.view.operands()); },
          "The operands as instructions; None for a name that the text does not define.")
      .def_prop_ro("operand_names",
                   [](const instruction& i) {
                     nb::list out;
                     for (const hlo_instruction o : i.view.operands())
                       out.append(o ? nb::object(text(o.name())) : nb::none());
                     return out;
                   })
      .def_prop_ro(
          "users",
          [](const instruction& i) {
            nb::list out;
            hlo_instruction last;
            for (const instruction_use use : i.owner->users().of(i.view)) {
              if (use.user != last) out.append(nb::cast(instruction{i.owner, use.user}));
              last = use.user;
            }
            return out;
          },
          "The instructions with this one as an operand, each once, in text order.")
      .def_prop_ro(
          "attributes",
          [](const instruction& i) {
            nb::dict out;
            for (const hlo_attribute a : i.view.attributes()) out[text(a.name)] = value_of(i.view, a);
            return out;
          },
          "All attributes by name, as Python values.")
      .def(
          "attribute_text",
          [](const instruction& i, const std::string& name) -> nb::object {
            for (const hlo_attribute a : i.view.attributes())
              if (a.name == name) return text(a.value);
            return nb::none();
          },
          "name"_a, "An attribute's text as written, or None.")
      .def_prop_ro(
          "metadata", [](const instruction& i) { return metadata_of(i.view); },
          "The metadata in the text, such as op_name, source_file and source_line.")
      .def_prop_ro("called_computations",
                   [](const instruction& i) { return list_of(i.owner, i.view.called_computations()); })
      .def_prop_ro("computation",
                   [](const instruction& i) {
                     return computation{i.owner, i.view.computation()};
                   })
      .def_prop_ro("is_root", [](const instruction& i) { return i.view.is_root(); })
      .def_prop_ro(
          "parameter_number", [](const instruction& i) { return i.view.parameter_number(); },
          "The number of a parameter; None for other instructions.")
      .def_prop_ro(
          "text", [](const instruction& i) { return text(i.view.text()); }, "The line of text.")
      .def_prop_ro("path", [](const instruction& i) { return text(i.view.where().in.path()); })
      .def_prop_ro(
          "line", [](const instruction& i) { return i.view.where().begin().line; }, "From 1.")
      .def_prop_ro(
          "column", [](const instruction& i) { return i.view.where().begin().column; }, "From 1, in bytes.")
      .def(
          "__eq__", [](const instruction& a, const instruction& b) { return a == b; }, nb::is_operator())
      .def("__hash__",
           [](const instruction& i) {
             return std::hash<const void*>()(&i.view.data()) ^ std::hash<std::size_t>()(i.view.id());
           })
      .def("__str__", [](const instruction& i) { return text(i.view.text()); })
      .def("__repr__", [](const instruction& i) {
        return text("<Instruction " + std::string(i.view.name()) + ": " + std::string(i.view.opcode_text()) + ">");
      });

  nb::class_<instruction_iterator>(m, "_InstructionIterator")
      .def("__iter__", [](nb::object self) { return self; })
      .def("__next__", [](instruction_iterator& it) {
        if (it.next == it.of.count) throw nb::stop_iteration();
        return it.of.at(it.next++);
      });
  nb::class_<instruction_range>(m, "Instructions", "A sequence of instructions, which are made on access.")
      .def("__len__", [](const instruction_range& r) { return r.count; })
      .def("__getitem__", [](const instruction_range& r, Py_ssize_t i) { return r.at(index_in(r.count, i)); })
      .def("__getitem__",
           [](const instruction_range& r, const nb::slice& part) {
             auto [start, stop, step, count] = part.compute(r.count);
             nb::list out;
             for (std::size_t i = 0; i < count; ++i, start += step) out.append(r.at(static_cast<std::size_t>(start)));
             return out;
           })
      .def("__iter__", [](const instruction_range& r) { return instruction_iterator{r}; });
}

void add_module(nb::module_& m) {
  nb::class_<computation>(m, "Computation", "One computation; a view that keeps its module alive.")
      .def_prop_ro("name", [](const computation& c) { return text(c.view.name()); })
      .def_prop_ro("is_entry", [](const computation& c) { return c.view.is_entry(); })
      .def_prop_ro(
          "instructions",
          [](const computation& c) {
            const std::size_t count = c.view.instruction_count();
            return instruction_range{c.owner, count ? c.view.instruction(0).id() : 0, count};
          },
          "The instructions in text order, which is the schedule if the module is scheduled.")
      .def_prop_ro("root", [](const computation& c) { return or_none(c.owner, c.view.root()); })
      .def_prop_ro("parameters",
                   [](const computation& c) {
                     nb::list out;
                     for (const hlo_instruction i : c.view.instructions())
                       if (i.opcode() == hlo_opcode::parameter) out.append(nb::cast(instruction{c.owner, i}));
                     return out;
                   })
      .def(
          "__eq__", [](const computation& a, const computation& b) { return a == b; }, nb::is_operator())
      .def("__hash__",
           [](const computation& c) {
             return std::hash<const void*>()(&c.view.data()) ^ std::hash<std::size_t>()(c.view.id());
           })
      .def("__repr__", [](const computation& c) { return text("<Computation " + std::string(c.view.name()) + ">"); });

  nb::class_<shared_module>(m, "Module", "An HLO module.")
      .def_prop_ro("name", [](const shared_module& s) { return text(s.module().name()); })
      .def_prop_ro("path", [](const shared_module& s) { return text(s.module().text().path()); })
      .def_prop_ro(
          "entry", [](const module_handle& s) { return or_none(s, s->module().entry()); }, "None if the text has none.")
      .def_prop_ro("computations", [](const module_handle& s) { return list_of(s, s->module().computations()); })
      .def(
          "computation",
          [](const module_handle& s, const std::string& name) {
            return or_none(s, s->module().find_computation(name));
          },
          "name"_a, "The computation of this name, or None.")
      .def_prop_ro(
          "instructions",
          [](const module_handle& s) {
            return instruction_range{s, 0, s->module().instruction_count()};
          },
          "The instructions of all computations, in text order.")
      .def_prop_ro("is_scheduled", [](const shared_module& s) { return s.module().is_scheduled(); })
      .def_prop_ro("num_partitions", [](const shared_module& s) { return s.module().num_partitions(); })
      .def_prop_ro("replica_count", [](const shared_module& s) { return s.module().replica_count(); })
      .def_prop_ro(
          "attributes",
          [](const shared_module& s) {
            nb::dict out;
            for (const hlo_attribute a : s.module().attributes()) out[text(a.name)] = text(a.value);
            return out;
          },
          "The attributes of the header, as written.")
      .def("collectives", &collectives_of, "Collectives in text order, as dictionaries; see hlolint.collectives.")
      .def("__repr__", [](const shared_module& s) { return text("<Module " + std::string(s.module().name()) + ">"); });

  nb::class_<parsed_file>(m, "ParsedFile", "The readable content of one text.")
      .def_prop_ro("path", [](const parsed_file& f) { return text(f.text.path()); })
      .def_prop_ro(
          "text", [](const parsed_file& f) { return nb::bytes(f.text.text().data(), f.text.text().size()); },
          "The text that was parsed, decompressed: a copy, as bytes.")
      .def_prop_ro(
          "kind", [](const parsed_file& f) { return text(name_of(f.kind)); },
          "'hlo', 'buffer-assignment', ...; 'unknown' if it is not a dump.")
      .def_prop_ro(
          "status", [](const parsed_file& f) { return text(name_of(f.status)); }, "'ok', 'partial' or 'failed'.")
      .def_prop_ro("modules",
                   [](const parsed_file& f) {
                     nb::list out;
                     for (const hlo_module& one : f.modules()) out.append(std::make_shared<shared_module>(one));
                     return out;
                   })
      .def_prop_ro(
          "problems",
          [](const parsed_file& f) {
            nb::list out;
            for (const diagnostic& d : f.diagnostics) out.append(dict_of(d));
            return out;
          },
          "The errors as dictionaries with rule, level, message, path, line and column.")
      .def("__repr__", [](const parsed_file& f) {
        return text("<ParsedFile " + f.text.path() + ": " + std::string(name_of(f.kind)) + ">");
      });
}

}  // namespace

NB_MODULE(_hlolint, m) {
  m.doc() = "The compiled part of hlolint.";
  nb::set_leak_warnings(false);  // views that Python still holds when it ends are no error
  m.attr("__version__") = HLOLINT_VERSION;
  add_shape(m);
  add_instruction(m);
  add_module(m);
  add_command(m);
  m.def(
      "parse_text",
      [](const nb::bytes& bytes, std::string path) {
        std::string content(bytes.c_str(), bytes.size());
        const nb::gil_scoped_release others_run;
        if (begins_as_proto(content)) return std::make_shared<parsed_file>(read_proto(content, path, max_text_size));
        return std::make_shared<parsed_file>(parse_parts(source(std::move(content), std::move(path))));
      },
      "text"_a, "path"_a, "Parses the bytes of a dump: text, or a protobuf message.");
  m.def(
      "parse_file",
      [](const std::string& path, std::uint64_t max_size) {
        const nb::gil_scoped_release others_run;
        return std::make_shared<parsed_file>(read_input(path, max_size).content);
      },
      "path"_a, "max_size"_a, "Reads a file, compressed or not, of at most `max_size` bytes of text.");
}
