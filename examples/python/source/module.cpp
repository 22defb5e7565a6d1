// The Python module hlolint._hlolint: parsed files, modules, computations and instructions as views.
#include "views.hpp"

#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/parse.hpp>

#include <hlolint/read_file.hpp>
#include <hlolint/read_proto.hpp>
#include <hlolint/text/file.hpp>

#include <pybind11/stl.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace hlolint;
using namespace hlolint::python;
using namespace pybind11::literals;

namespace {

std::size_t index_in(std::size_t count, py::ssize_t i) {
  if (i < 0) i += static_cast<py::ssize_t>(count);
  if (i < 0 || static_cast<std::size_t>(i) >= count) throw py::index_error("there is no instruction of that number");
  return static_cast<std::size_t>(i);
}

py::dict dict_of(const diagnostic& problem) {
  const line_column begin = problem.where.begin();
  py::dict out;
  out["rule"] = problem.rule;
  out["level"] = text(name_of(problem.level));
  out["message"] = text(problem.message);
  out["path"] = text(problem.where.in.path());
  out["line"] = begin.line;
  out["column"] = begin.column;
  return out;
}

py::tuple dimensions_of(const shape& s) {
  py::tuple out(s.rank());
  for (std::size_t i = 0; i < s.rank(); ++i) out[i] = s.dimensions[i].size;
  return out;
}

py::dict metadata_of(hlo_instruction i) {
  py::dict out;
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

py::list list_of(const module_handle& owner, const auto& views) {
  py::list out;
  for (const auto view : views) out.append(or_none(owner, view));
  return out;
}

// One string object for each known opcode, as Python interns names; unknown opcodes are made anew.
py::str opcode_of(const instruction& i) {
  static std::vector<PyObject*>& known = *new std::vector<PyObject*>(256);  // never freed: the process ends with them
  const std::string_view written = i.view.opcode_text();
  const auto at = static_cast<std::size_t>(i.view.opcode());
  if (at >= known.size() || written != name_of(i.view.opcode())) return text(written);
  if (!known[at]) known[at] = text(written).release().ptr();
  return py::reinterpret_borrow<py::str>(known[at]);
}

void add_shape(py::module_& m) {
  py::class_<shape>(m, "Shape", "An array, tuple, token or opaque value, as the text declares it.")
      .def_property_readonly(
          "type", [](const shape& s) { return text(name_of(s.type)); }, "Element type, such as 'bf16'.")
      .def_property_readonly("dimensions", &dimensions_of,
                             "Sizes; bounds of dynamic dimensions, -1 for unbounded ones.")
      .def_property_readonly("is_tuple", &shape::is_tuple)
      .def_property_readonly("is_static", &shape::is_static)
      .def_property_readonly("memory_space", &shape::memory_space, "0 is main memory.")
      .def_property_readonly(
          "minor_to_major",
          [](const shape& s) -> py::object {
            if (!s.layout) return py::none();
            return py::cast(std::vector<std::int64_t>(s.layout->minor_to_major.begin(), s.layout->minor_to_major.end()));
          },
          "Order of dimensions in memory, the most minor first; None if no layout is written.")
      .def_property_readonly(
          "elements", [](const shape& s) { return s.elements; }, "Shapes of a tuple's elements.")
      .def_property_readonly(
          "bytes", [](const shape& s) { return dense_size_of_leaves(s); },
          "Bytes of all arrays without padding; None if unknown.")
      .def("__str__", [](const shape& s) { return text(to_string(s)); })
      .def("__repr__", [](const shape& s) { return text("<Shape " + to_string(s) + ">"); })
      .def(
          "__eq__", [](const shape& a, const shape& b) { return a == b; }, py::is_operator())
      .def("__hash__", [](const shape& s) { return std::hash<std::string>()(to_string(s)); });
}

void add_instruction(py::module_& m) {
  py::class_<instruction>(m, "Instruction", "One instruction; a view that keeps its module alive.")
      .def_property_readonly("name", [](const instruction& i) { return text(i.view.name()); })
      .def_property_readonly("opcode", &opcode_of,
                             "The opcode as written, such as 'all-gather-start'.")
      .def_property_readonly(
          "shape",
          [](const instruction& i) { return i.view.shape() ? py::cast(*i.view.shape()) : py::object(py::none()); },
          "None if the text has none.")
      .def_property_readonly(
          "shape_text",
          [](const instruction& i) { return i.view.shape() ? i.owner->shape_text(*i.view.shape()) : py::str(); },
          "The shape as XLA prints it; cheaper than str(shape).")
      .def_property_readonly(
          "operands", [](const instruction& i) { return list_of(i.owner, i.view.operands()); },
          "The operands as instructions; None for a name that the text does not define.")
      .def_property_readonly("operand_names",
                             [](const instruction& i) {
                               py::list out(i.view.operand_count());
                               std::size_t at = 0;
                               for (const hlo_instruction o : i.view.operands())
                                 out[at++] = o ? py::object(text(o.name())) : py::object(py::none());
                               return out;
                             })
      .def_property_readonly(
          "users",
          [](const instruction& i) {
            py::list out;
            hlo_instruction last;
            for (const instruction_use use : i.owner->users().of(i.view)) {
              if (use.user != last) out.append(py::cast(instruction{i.owner, use.user}));
              last = use.user;
            }
            return out;
          },
          "The instructions with this one as an operand, each once, in text order.")
      .def_property_readonly(
          "attributes",
          [](const instruction& i) {
            py::dict out;
            for (const hlo_attribute a : i.view.attributes()) out[text(a.name)] = value_of(i.view, a);
            return out;
          },
          "All attributes by name, as Python values.")
      .def(
          "attribute_text",
          [](const instruction& i, const std::string& name) -> py::object {
            for (const hlo_attribute a : i.view.attributes())
              if (a.name == name) return text(a.value);
            return py::none();
          },
          "name"_a, "An attribute's text as written, or None.")
      .def_property_readonly("metadata", [](const instruction& i) { return metadata_of(i.view); },
                             "The metadata in the text, such as op_name, source_file and source_line.")
      .def_property_readonly("called_computations",
                             [](const instruction& i) { return list_of(i.owner, i.view.called_computations()); })
      .def_property_readonly("computation",
                             [](const instruction& i) { return computation{i.owner, i.view.computation()}; })
      .def_property_readonly("is_root", [](const instruction& i) { return i.view.is_root(); })
      .def_property_readonly("parameter_number", [](const instruction& i) { return i.view.parameter_number(); },
                             "The number of a parameter; None for other instructions.")
      .def_property_readonly("text", [](const instruction& i) { return text(i.view.text()); }, "The line of text.")
      .def_property_readonly("path", [](const instruction& i) { return text(i.view.where().in.path()); })
      .def_property_readonly("line", [](const instruction& i) { return i.view.where().begin().line; }, "From 1.")
      .def_property_readonly("column", [](const instruction& i) { return i.view.where().begin().column; },
                             "From 1, in bytes.")
      .def(
          "__eq__", [](const instruction& a, const instruction& b) { return a == b; }, py::is_operator())
      .def("__hash__",
           [](const instruction& i) {
             return std::hash<const void*>()(&i.view.data()) ^ std::hash<std::size_t>()(i.view.id());
           })
      .def("__str__", [](const instruction& i) { return text(i.view.text()); })
      .def("__repr__", [](const instruction& i) {
        return text("<Instruction " + std::string(i.view.name()) + ": " + std::string(i.view.opcode_text()) + ">");
      });

  py::class_<instruction_iterator>(m, "_InstructionIterator")
      .def("__iter__", [](py::object self) { return self; })
      .def("__next__", [](instruction_iterator& it) {
        if (it.next == it.of.count) throw py::stop_iteration();
        return it.of.at(it.next++);
      });
  py::class_<instruction_range>(m, "Instructions", "A sequence of instructions, which are made on access.")
      .def("__len__", [](const instruction_range& r) { return r.count; })
      .def("__getitem__", [](const instruction_range& r, py::ssize_t i) { return r.at(index_in(r.count, i)); })
      .def("__getitem__",
           [](const instruction_range& r, const py::slice& part) {
             std::size_t start = 0, stop = 0, step = 0, count = 0;
             if (!part.compute(r.count, &start, &stop, &step, &count)) throw py::error_already_set();
             py::list out;
             for (std::size_t i = 0; i < count; ++i, start += step) out.append(r.at(start));
             return out;
           })
      .def("__iter__", [](const instruction_range& r) { return instruction_iterator{r}; });
}

void add_module(py::module_& m) {
  py::class_<computation>(m, "Computation", "One computation; a view that keeps its module alive.")
      .def_property_readonly("name", [](const computation& c) { return text(c.view.name()); })
      .def_property_readonly("is_entry", [](const computation& c) { return c.view.is_entry(); })
      .def_property_readonly("instructions",
                             [](const computation& c) {
                               const std::size_t count = c.view.instruction_count();
                               return instruction_range{c.owner, count ? c.view.instruction(0).id() : 0, count};
                             },
                             "The instructions in text order, which is the schedule if the module is scheduled.")
      .def_property_readonly("root", [](const computation& c) { return or_none(c.owner, c.view.root()); })
      .def_property_readonly("parameters",
                             [](const computation& c) {
                               py::list out;
                               for (const hlo_instruction i : c.view.instructions())
                                 if (i.opcode() == hlo_opcode::parameter) out.append(py::cast(instruction{c.owner, i}));
                               return out;
                             })
      .def(
          "__eq__", [](const computation& a, const computation& b) { return a == b; }, py::is_operator())
      .def("__hash__",
           [](const computation& c) {
             return std::hash<const void*>()(&c.view.data()) ^ std::hash<std::size_t>()(c.view.id());
           })
      .def("__repr__", [](const computation& c) { return text("<Computation " + std::string(c.view.name()) + ">"); });

  py::class_<shared_module, module_handle>(m, "Module", "An HLO module.")
      .def_property_readonly("name", [](const shared_module& s) { return text(s.module().name()); })
      .def_property_readonly("path", [](const shared_module& s) { return text(s.module().text().path()); })
      .def_property_readonly("entry", [](const module_handle& s) { return or_none(s, s->module().entry()); },
                             "None if the text has none.")
      .def_property_readonly("computations",
                             [](const module_handle& s) { return list_of(s, s->module().computations()); })
      .def(
          "computation",
          [](const module_handle& s, const std::string& name) {
            return or_none(s, s->module().find_computation(name));
          },
          "name"_a, "The computation of this name, or None.")
      .def_property_readonly("instructions",
                             [](const module_handle& s) {
                               return instruction_range{s, 0, s->module().instruction_count()};
                             },
                             "The instructions of all computations, in text order.")
      .def_property_readonly("is_scheduled", [](const shared_module& s) { return s.module().is_scheduled(); })
      .def_property_readonly("num_partitions", [](const shared_module& s) { return s.module().num_partitions(); })
      .def_property_readonly("replica_count", [](const shared_module& s) { return s.module().replica_count(); })
      .def_property_readonly("attributes",
                             [](const shared_module& s) {
                               py::dict out;
                               for (const hlo_attribute a : s.module().attributes()) out[text(a.name)] = text(a.value);
                               return out;
                             },
                             "The attributes of the header, as written.")
      .def("collectives", &collectives_of, "Collectives in text order, as dictionaries; see hlolint.collectives.")
      .def("__repr__", [](const shared_module& s) { return text("<Module " + std::string(s.module().name()) + ">"); });

  py::class_<parsed_file, std::shared_ptr<parsed_file>>(m, "ParsedFile", "The readable content of one text.")
      .def_property_readonly("path", [](const parsed_file& f) { return text(f.text.path()); })
      .def_property_readonly(
          "text",
          [](const parsed_file& f) { return py::bytes(f.text.text().data(), f.text.text().size()); },
          "The text that was parsed, decompressed: a copy, as bytes.")
      .def_property_readonly("kind", [](const parsed_file& f) { return text(name_of(f.kind)); },
                             "'hlo', 'buffer-assignment', ...; 'unknown' if it is not a dump.")
      .def_property_readonly("status", [](const parsed_file& f) { return text(name_of(f.status)); },
                             "'ok', 'partial' or 'failed'.")
      .def_property_readonly("modules",
                             [](const parsed_file& f) {
                               py::list out;
                               for (const hlo_module& one : f.modules())
                                 out.append(std::make_shared<shared_module>(one));
                               return out;
                             })
      .def_property_readonly("problems",
                             [](const parsed_file& f) {
                               py::list out;
                               for (const diagnostic& d : f.diagnostics) out.append(dict_of(d));
                               return out;
                             },
                             "The errors as dictionaries with rule, level, message, path, line and column.")
      .def("__repr__", [](const parsed_file& f) {
        return text("<ParsedFile " + f.text.path() + ": " + std::string(name_of(f.kind)) + ">");
      });
}

}  // namespace

PYBIND11_MODULE(_hlolint, m) {
  m.doc() = "The compiled part of hlolint.";
  m.attr("__version__") = HLOLINT_VERSION;
  add_shape(m);
  add_instruction(m);
  add_module(m);
  add_command(m);
  m.def(
      "parse_text",
      [](const py::bytes& bytes, std::string path) {
        std::string content(bytes);
        const py::gil_scoped_release others_run;
        if (begins_as_proto(content))
          return std::make_shared<parsed_file>(read_proto(content, path, max_text_size));
        return std::make_shared<parsed_file>(parse(std::move(content), std::move(path)));
      },
      "text"_a, "path"_a, "Parses the bytes of a dump: text, or a protobuf message.");
  m.def(
      "parse_file",
      [](const std::string& path, std::uint64_t max_size) {
        const py::gil_scoped_release others_run;
        return std::make_shared<parsed_file>(read_input(path, max_size).content);
      },
      "path"_a, "max_size"_a, "Reads a file, compressed or not, of at most `max_size` bytes of text.");
}
