#include "decompress.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#ifdef HLOLINT_HAS_ZLIB
#include <zlib.h>
#endif
#ifdef HLOLINT_HAS_LZMA
#include <lzma.h>
#endif
#ifdef HLOLINT_HAS_ZSTD
#include <zstd.h>
#endif

namespace {

constexpr std::array<std::string_view, 3> endings{".gz", ".xz", ".zst"};
constexpr std::size_t most = std::size_t{4} << 30;  // a text may not be larger
constexpr std::size_t piece = std::size_t{1} << 18;

const char* const cut = "the compressed data is damaged or ends too early";

#ifdef HLOLINT_HAS_ZLIB
decompressed gunzip(std::string_view bytes) {
  decompressed out;
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 32) != Z_OK) return {{}, "zlib cannot start"};
  int status = Z_OK;
  std::size_t read = 0;
  while (status == Z_OK && out.text.size() < most) {
    if (stream.avail_in == 0) {
      const std::size_t next = std::min<std::size_t>(bytes.size() - read, piece);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + read));
      stream.avail_in = static_cast<uInt>(next);
      read += next;
    }
    const std::size_t before = out.text.size();
    out.text.resize(before + piece);
    stream.next_out = reinterpret_cast<Bytef*>(out.text.data() + before);
    stream.avail_out = static_cast<uInt>(piece);
    status = inflate(&stream, Z_NO_FLUSH);
    out.text.resize(before + piece - stream.avail_out);
    const bool at_end = stream.avail_in == 0 && read == bytes.size();
    if (status == Z_STREAM_END && !at_end) status = inflateReset(&stream);  // another member follows
    else if (status == Z_OK && at_end && stream.avail_out > 0) status = Z_BUF_ERROR;
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END && out.text.size() < most) out.error = cut;
  return out;
}
#endif

#ifdef HLOLINT_HAS_LZMA
decompressed unxz(std::string_view bytes) {
  decompressed out;
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK) return {{}, "liblzma cannot start"};
  stream.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
  stream.avail_in = bytes.size();
  lzma_ret status = LZMA_OK;
  while (status == LZMA_OK && out.text.size() < most) {
    const std::size_t before = out.text.size();
    out.text.resize(before + piece);
    stream.next_out = reinterpret_cast<std::uint8_t*>(out.text.data() + before);
    stream.avail_out = piece;
    status = lzma_code(&stream, LZMA_FINISH);
    out.text.resize(before + piece - stream.avail_out);
  }
  lzma_end(&stream);
  if (status != LZMA_STREAM_END && out.text.size() < most) out.error = cut;
  return out;
}
#endif

#ifdef HLOLINT_HAS_ZSTD
decompressed unzstd(std::string_view bytes) {
  decompressed out;
  ZSTD_DStream* const stream = ZSTD_createDStream();
  if (!stream) return {{}, "libzstd cannot start"};
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  std::size_t left = 1;
  while (out.text.size() < most) {
    const std::size_t before = out.text.size();
    out.text.resize(before + piece);
    ZSTD_outBuffer to{out.text.data() + before, piece, 0};
    left = ZSTD_decompressStream(stream, &to, &in);
    out.text.resize(before + to.pos);
    if (ZSTD_isError(left) || (in.pos == in.size && to.pos < piece)) break;
  }
  ZSTD_freeDStream(stream);
  if (left != 0 && out.text.size() < most) out.error = cut;
  return out;
}
#endif

}  // namespace

std::string_view without_compression(std::string_view path) {
  for (const std::string_view ending : endings)
    if (path.size() > ending.size() && path.ends_with(ending)) return path.substr(0, path.size() - ending.size());
  return path;
}

decompressed decompress(std::string_view path, [[maybe_unused]] std::string_view bytes) {
#ifdef HLOLINT_HAS_ZLIB
  if (path.ends_with(".gz")) return gunzip(bytes);
#endif
#ifdef HLOLINT_HAS_LZMA
  if (path.ends_with(".xz")) return unxz(bytes);
#endif
#ifdef HLOLINT_HAS_ZSTD
  if (path.ends_with(".zst")) return unzstd(bytes);
#endif
  return {{}, "this hlolint was built without the library for " + std::string(path.substr(path.rfind('.'))) + " files"};
}
