#include "decompress.hpp"

#include <hlolint/text/bytes.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#ifdef HLOLINT_HAS_ZLIB
#include <zlib.h>
#endif
#ifdef HLOLINT_HAS_LZMA
#include <lzma.h>
#endif
#ifdef HLOLINT_HAS_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

namespace hlolint::command {

namespace {

constexpr std::array<std::string_view, 3> endings{".gz", ".xz", ".zst"};
[[maybe_unused]] constexpr std::size_t piece = std::size_t{1} << 18;

// The remaining input of a decompressor, and the room for its output.
struct buffers {
  const char* in = nullptr;
  std::size_t in_size = 0;
  bool in_ends = false;  // `in` holds the last of the input
  char* out = nullptr;
  std::size_t out_size = 0;
};

[[maybe_unused]] constexpr const char* damage = "the compressed data is damaged or ends too early";

enum class state { running, at_end_of_part, damaged };  // at_end_of_part: the file may end here

#ifdef HLOLINT_HAS_ZLIB
class gunzip {
 public:
  gunzip() : works_(inflateInit2(&stream_, 15 + 32) == Z_OK) {}
  ~gunzip() { inflateEnd(&stream_); }
  gunzip(const gunzip&) = delete;
  gunzip& operator=(const gunzip&) = delete;

  state step(buffers& b) {
    if (!works_) return state::damaged;
    if (member_ended_ && b.in_size > 0) inflateReset(&stream_), member_ended_ = false;  // one of several members
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(b.in));
    stream_.avail_in = static_cast<uInt>(b.in_size);
    stream_.next_out = reinterpret_cast<Bytef*>(b.out);
    stream_.avail_out = static_cast<uInt>(b.out_size);
    const int status = member_ended_ ? Z_STREAM_END : inflate(&stream_, Z_NO_FLUSH);
    b.in += b.in_size - stream_.avail_in, b.in_size = stream_.avail_in;
    b.out += b.out_size - stream_.avail_out, b.out_size = stream_.avail_out;
    member_ended_ = status == Z_STREAM_END;
    return member_ended_                             ? state::at_end_of_part
           : status == Z_OK || status == Z_BUF_ERROR ? state::running
                                                     : state::damaged;
  }
  std::string problem() const { return works_ ? damage : "zlib cannot start"; }

 private:
  z_stream stream_{};
  bool works_ = false, member_ended_ = false;
};
#endif

#ifdef HLOLINT_HAS_LZMA
class unxz {
 public:
  unxz() : works_(lzma_stream_decoder(&stream_, std::uint64_t{136} << 20, LZMA_CONCATENATED) == LZMA_OK) {}
  ~unxz() { lzma_end(&stream_); }
  unxz(const unxz&) = delete;
  unxz& operator=(const unxz&) = delete;

  state step(buffers& b) {
    if (!works_) return state::damaged;
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(b.in);
    stream_.avail_in = b.in_size;
    stream_.next_out = reinterpret_cast<std::uint8_t*>(b.out);
    stream_.avail_out = b.out_size;
    const lzma_ret status = lzma_code(&stream_, b.in_ends ? LZMA_FINISH : LZMA_RUN);
    b.in += b.in_size - stream_.avail_in, b.in_size = stream_.avail_in;
    b.out += b.out_size - stream_.avail_out, b.out_size = stream_.avail_out;
    too_much_memory_ = status == LZMA_MEMLIMIT_ERROR;
    return status == LZMA_STREAM_END                       ? state::at_end_of_part
           : status == LZMA_OK || status == LZMA_BUF_ERROR ? state::running
                                                           : state::damaged;
  }
  std::string problem() const {
    return !works_ ? "liblzma cannot start" : too_much_memory_ ? "it takes over 128 MiB to decompress" : damage;
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool works_ = false, too_much_memory_ = false;
};
#endif

#ifdef HLOLINT_HAS_ZSTD
class unzstd {
 public:
  unzstd() : stream_(ZSTD_createDStream()) {}
  ~unzstd() { ZSTD_freeDStream(stream_); }
  unzstd(const unzstd&) = delete;
  unzstd& operator=(const unzstd&) = delete;

  state step(buffers& b) {
    if (!stream_) return state::damaged;
    if (frame_ended_ && b.in_size == 0) return state::at_end_of_part;
    ZSTD_inBuffer in{b.in, b.in_size, 0};
    ZSTD_outBuffer to{b.out, b.out_size, 0};
    const std::size_t left = ZSTD_decompressStream(stream_, &to, &in);
    b.in += in.pos, b.in_size -= in.pos;
    b.out += to.pos, b.out_size -= to.pos;
    frame_ended_ = left == 0;
    if (ZSTD_isError(left)) too_much_memory_ = ZSTD_getErrorCode(left) == ZSTD_error_frameParameter_windowTooLarge;
    return frame_ended_ ? state::at_end_of_part : ZSTD_isError(left) ? state::damaged : state::running;
  }
  std::string problem() const {
    return !stream_ ? "libzstd cannot start" : too_much_memory_ ? "it takes over 128 MiB to decompress" : damage;
  }

 private:
  ZSTD_DStream* stream_;
  bool frame_ended_ = false, too_much_memory_ = false;
};
#endif

template <class Decoder>
[[maybe_unused]] decompressed run(Decoder&& decoder, file_reader& from, std::uint64_t max_size,
                                  binary_test reads_binary) {
  decompressed out;
  const auto stop = [&](load_status why, std::string error) {
    out.status = why, out.error = std::move(error);
    return std::move(out);
  };
  std::vector<char> read(piece);
  buffers b;
  bool head_is_text = false;
  for (;;) {
    if (b.in_size == 0 && !b.in_ends) {
      b.in = read.data();
      b.in_size = from.read(read.data(), read.size());
      b.in_ends = b.in_size == 0;
      if (from.status() != load_status::loaded) return stop(from.status(), from.error());
    }
    const std::size_t in_before = b.in_size;
    // Room for one byte more than allowed, to notice texts that are too large.
    const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(piece, max_size - out.text.size() + 1));
    b.out = out.text.room(room), b.out_size = room;
    const state now = decoder.step(b);
    const std::size_t written = room - b.out_size;
    out.text.add(written);
    // The decompressor had room and wrote nothing, so no more will come.
    const bool stuck = now == state::running && written == 0 && b.in_size == in_before && (in_before > 0 || b.in_ends);
    const bool ended = now == state::at_end_of_part && b.in_ends && b.in_size == 0;
    if (!head_is_text && (out.text.size() >= text_head_size || ended || stuck || now == state::damaged)) {
      if (looks_binary(out.text.text()) && !reads_binary(out.text.text().substr(0, text_head_size)))
        return stop(load_status::binary, "it holds a binary file, not text");
      head_is_text = true;
    }
    if (out.text.size() > max_size)
      return stop(load_status::too_large, "it holds more than " + human(static_cast<byte_count>(max_size)));
    if (now == state::damaged || stuck) return stop(load_status::unreadable, decoder.problem());
    if (ended) return out;
  }
}

}  // namespace

compression compression_of(std::string_view path, std::string_view head) {
  constexpr compression by_ending[] = {compression::gzip, compression::xz, compression::zstd};
  for (std::size_t i = 0; i < endings.size(); ++i)
    if (path.size() > endings[i].size() && path.ends_with(endings[i])) return by_ending[i];
  if (head.starts_with("\x1f\x8b")) return compression::gzip;
  if (head.starts_with("\xfd"
                       "7zXZ"))
    return compression::xz;
  if (head.starts_with("\x28\xb5\x2f\xfd")) return compression::zstd;
  return compression::none;
}

std::string_view without_compression(std::string_view path) {
  for (const std::string_view ending : endings)
    if (path.size() > ending.size() && path.ends_with(ending)) return path.substr(0, path.size() - ending.size());
  return path;
}

decompressed decompress(compression how, [[maybe_unused]] file_reader& from, [[maybe_unused]] std::uint64_t max_size,
                        [[maybe_unused]] binary_test reads_binary) {
#ifdef HLOLINT_HAS_ZLIB
  if (how == compression::gzip) return run(gunzip(), from, max_size, reads_binary);
#endif
#ifdef HLOLINT_HAS_LZMA
  if (how == compression::xz) return run(unxz(), from, max_size, reads_binary);
#endif
#ifdef HLOLINT_HAS_ZSTD
  if (how == compression::zstd) return run(unzstd(), from, max_size, reads_binary);
#endif
  const std::size_t at = how == compression::gzip ? 0 : how == compression::xz ? 1 : 2;
  return {{},
          "this hlolint was built without the library for " + std::string(endings[at]) + " files",
          load_status::unreadable};
}

}  // namespace hlolint::command
