#include "mixlab/store/part_file.h"

#include "mixlab/core/error.h"
#include "mixlab/store/guard.h"
#include "mixlab/store/hdf5_writer.h"
#include "mixlab/store/layout.h"
#include "mixlab/store/sealed_file.h"

namespace mixlab::store {
namespace {

Writer begin(const File& bytes, const std::string& path, const study::Part& part, const engine::CellFacts& cell,
             const PartContext& context) {
  silence_hdf5();  // this thread is not the one that started the program
  Writer file = Writer::on_disk(bytes, path);
  file.attribute("format", part_format);
  file.attribute("format_version", format_version);
  file.attribute("study_hash", context.study_hash);
  file.attribute("study", context.study_text);
  file.attribute("numerics", context.numerics);
  file.attribute("n_declared", context.n_declared);
  file.attribute("cell", std::int64_t{part.cell});
  file.attribute("first", part.first);
  file.attribute("end", part.end);
  file.dimension("trajectory", part.first, part.size(), "trajectory number");
  file.dimension("round", cell.checkpoints, "round of the checkpoint");
  file.dimension("set", cell.set_names(), "confidence set");
  engine::for_each_column<engine::Row>([&]<class Column>(const Column& column) {
    file.variable(column.name, type_of<typename Column::Element>(), dimensions_of(column.axis, {"trajectory"}),
                  {.attributes = {{"long_name", column.meaning}, {"units", column.unit}}});
  });
  return file;
}

}  // namespace

class OpenParts::OpenPart {
 public:
  OpenPart(const std::string& folder, const study::Part& part, const engine::CellFacts& cell,
           const PartContext& context)
      : part_(part),
        path_(folder + "/" + study::file_name(part)),
        temporary_(path_),
        file_(begin(temporary_.file(), path_, part, cell, context)) {}

  void add(std::int64_t first, const std::vector<engine::Row>& rows) {
    side_by_side(rows).for_each([&]<class T>(const auto& column, const std::vector<T>& array) {
      const Extent start = with_axis({static_cast<hsize_t>(first - part_.first)}, column.axis, 0);
      const Extent count = with_axis({rows.size()}, column.axis, array.size() / rows.size());
      file_.write(column.name, type_of<T>(), start, count, array.data());
    });
    n_rows_ += static_cast<std::int64_t>(rows.size());
  }

  bool is_whole() const { return n_rows_ == part_.size(); }

  void finish() {
    file_.close();
    seal(temporary_, path_, Interruptible::no);  // its rows are computed
  }

 private:
  study::Part part_;
  std::string path_;
  Temporary temporary_;
  Writer file_;  // closed before the temporary is removed
  std::int64_t n_rows_ = 0;
};

OpenParts::OpenParts(std::string folder, const std::vector<engine::CellFacts>& cells, PartContext context)
    : folder_(std::move(folder)), cells_(cells), context_(std::move(context)) {}

OpenParts::~OpenParts() = default;

bool OpenParts::add(const study::Part& part, std::int64_t first, const std::vector<engine::Row>& rows) {
  const auto key = std::pair(part.cell, part.first);
  auto& open = open_[key];
  if (!open) open = std::make_unique<OpenPart>(folder_, part, cells_[static_cast<std::size_t>(part.cell)], context_);
  open->add(first, rows);
  if (!open->is_whole()) return false;
  open->finish();
  open_.erase(key);
  return true;
}

PartFile::PartFile(const std::string& path, const study::Part& part, const study::Study& study)
    : path_(path), part_(part), file_(open_guarded(path, Links::refused)) {
  if (file_.text_attribute("format") != part_format)
    throw InputError("not a part file: '" + path + "' (it is a " + file_.text_attribute("format") + "); move it away");
  version_ = known_version(file_, "part file");
  if (!study.has_hash(file_.text_attribute("study_hash")))
    throw InputError("part of another study: '" + path + "' (its study hash differs); move it away");
  if (file_.integer_attribute("cell") != part.cell || file_.integer_attribute("first") != part.first ||
      file_.integer_attribute("end") != part.end)
    throw InputError("renamed part file: '" + path + "' (its contents are another range); restore its name");
  if (part.cell >= static_cast<int>(study.cells().size()) || part.end > study.trajectories())
    throw InputError("part outside the study: '" + path + "'; merge with the study it belongs to");
  require_rows<engine::Row>(file_, version_, {"trajectory"});
  const study::Cell& cell = study.cells()[static_cast<std::size_t>(part.cell)];
  if (file_.extent("trajectory").at(0) != static_cast<hsize_t>(part.size()) ||
      file_.read<std::int64_t>("round") != study::checkpoints(cell.horizon(), study.n_checkpoints()) ||
      file_.read_text("set") != cell.monitor() || n_declared() > study.trajectories())
    throw DamagedFile(
        "damaged file: '" + path +
        "' (its rows, rounds, sets or n_declared are not those of the study); restore it, or run the study "
        "again");
}

std::int64_t PartFile::n_declared() const {
  return version_ < 2 ? 0 : file_.integer_attribute("n_declared");
}

RowBlock PartFile::read(std::int64_t first, std::int64_t end) const {
  return read_rows<engine::Row>(file_, version_, {static_cast<hsize_t>(first - part_.first)},
                                {static_cast<hsize_t>(end - first)});
}

}  // namespace mixlab::store
