#if os(Linux)
  import Glibc

  /// Reads a request body piece by piece, for the loop.
  struct CurlBodyReader: ~Copyable {
    private enum Source {
      case segments([[UInt8]])
      case file(descriptor: Int32)
      case stream(CurlUpload)
    }
    private let source: Source
    /// The length in bytes, if it is known.
    let count: Int?
    /// Where the next byte is: in the whole, and for segments which one and where in it.
    private var offset = 0
    private var segment = 0
    private var offsetInSegment = 0

    init(_ body: HTTPRequest.Body?, upload: CurlUpload?) throws(HTTPError) {
      switch body {
      case nil:
        source = .segments([])
        count = 0
      case .bytes(let bytes):
        source = .segments([bytes])
        count = bytes.count
      case .segments(let segments):
        source = .segments(segments)
        count = segments.reduce(0) { $0 + $1.count }
      case .file(let path):
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
          let reason = descriptor < 0 ? String(cString: strerror(errno)) : "not a regular file"
          if descriptor >= 0 { close(descriptor) }
          throw HTTPError(.bodyUnavailable, "Cannot read \(path) to upload it: \(reason).")
        }
        source = .file(descriptor: descriptor)
        count = Int(status.st_size)
      case .stream(_, let length):
        guard let upload else { throw HTTPError(.bodyUnavailable, "There is no stream to upload.") }
        source = .stream(upload)
        count = length
      }
    }

    deinit {
      if case .file(let descriptor) = source { close(descriptor) }
    }

    /// Whether the whole body is here and short (up to 64 KiB, what libcurl sends in one piece with the head).
    var isShort: Bool {
      guard case .segments = source, let count else { return false }
      return count <= 64 << 10
    }

    /// Copies the whole of a body that is here. There must be room for it.
    func copyAll(to buffer: UnsafeMutableRawBufferPointer) {
      guard case .segments(let segments) = source else { return }
      var filled = 0
      for segment in segments {
        UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyBytes(from: segment)
        filled += segment.count
      }
    }

    /// Fills `buffer` as far as it goes. The number of bytes; 0 at the end; `nil` if there will be more later.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(HTTPError) -> Int? {
      switch source {
      case .segments(let segments):
        var filled = 0
        while filled < buffer.count, segment < segments.count {
          let rest = segments[segment].dropFirst(offsetInSegment).prefix(buffer.count - filled)
          UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyBytes(from: rest)
          filled += rest.count
          offsetInSegment += rest.count
          if offsetInSegment == segments[segment].count {
            segment += 1
            offsetInSegment = 0
          }
        }
        offset += filled
        return filled
      case .file(let descriptor):
        let filled = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
        guard filled >= 0 else {
          throw HTTPError(.bodyUnavailable, "The file to upload cannot be read: \(String(cString: strerror(errno))).")
        }
        if filled == 0, offset != count {
          throw HTTPError(.bodyUnavailable, "The file to upload got shorter while it was sent.")
        }
        offset += filled
        return filled
      case .stream(let upload):
        guard let filled = upload.read(into: buffer) else { return nil }
        if filled == 0, let count, offset != count {
          throw HTTPError(.bodyUnavailable, "The stream to upload ended after \(offset) of \(count) bytes.")
        }
        offset += filled
        return filled
      }
    }

    /// Goes to `offset` to send from there again. Whether that is possible.
    mutating func seek(to offset: Int) -> Bool {
      switch source {
      case .stream: return self.offset == offset
      case .file: break
      case .segments(let segments):
        (segment, offsetInSegment) = (0, offset)
        while segment < segments.count, offsetInSegment >= segments[segment].count {
          offsetInSegment -= segments[segment].count
          segment += 1
        }
      }
      self.offset = offset
      return true
    }
  }
#endif
