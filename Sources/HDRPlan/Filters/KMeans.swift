import HDRCore
import Kernels

/// The most typical colours of an extent by k-means (Lloyd, 1982): a row of `count` pixels, alpha the share of each.
///
/// Colours are not multiplied by alpha, which is their weight; with `perceptual` sRGB signals. They start as `means`, or
/// as pixels (i + 1/2) N / count of the N, row by row. A pass gives each pixel to the nearest mean, the first of equals,
/// and each mean becomes that of its pixels; one without any stays.
enum KMeans: ReductionFilter {
  static let name = "kmeans"
  static let summary = "a row: the most typical colours of an area, alpha the share of each"
  static let means = FilterParameter("means", .input(""), "colours to start with: the first row of a picture")
  static let count = FilterParameter("count", .count(8, 1...128), "number of colours: pixels of the row")
  static let passes = FilterParameter("passes", .count(5, 0...20), "how often means are made")
  static let perceptual = FilterParameter("perceptual", .flag(false), "distances and means of sRGB signals")
  static let parameters = [Reduction.extent, means, count, passes, perceptual]

  static func reduce(_ values: FilterValues, _ edit: inout Edit) throws(PlanError) {
    let count = values.count(count) ?? 8, isSignal = values.flag(perceptual), start = values.input(means) ?? ""
    if isSignal { edit.builder.add(.encode(.sRGB)) }
    let picture = edit.planes(), pixels = edit.width * edit.height
    var places = (0..<count).map { i in
      let n = (2 * i + 1) * pixels / (2 * count)
      return [n % picture.width, n / picture.width]
    }
    if !start.isEmpty {
      edit.use(try edit.input(start))
      guard edit.width >= count else {
        throw .invalidParameter("\(name): the input \"\(start)\" has \(edit.width) colours in its row, not \(count)")
      }
      if isSignal { edit.builder.add(.encode(.sRGB)) }
      places = (0..<count).map { [$0, 0] }
    }
    edit.clusters(.start, count: count, table: places)
    var colors = edit.builder.close(channels: 3)
    for _ in 0..<(values.count(passes) ?? 5) {
      let sums = edit.sums(picture, of: colors)
      edit.use(sums)
      edit.clusters(.means, count: count, with: colors)
      colors = edit.builder.close(channels: 3)
    }
    let sums = edit.sums(picture, of: colors)
    edit.use(colors)
    edit.clusters(.shares, count: count, with: sums)
    edit.makeTransparent()
    if isSignal { edit.builder.add(.decode(.sRGB)) }
  }
}

extension Edit {
  /// Replaces the picture by a row of a step.
  ///
  /// - Parameter other: the step's other source.
  fileprivate mutating func clusters(
    _ mode: Clusters.Mode, count: Int, table: [[Int]] = [], with other: PlaneRef? = nil
  ) {
    let rows = RowScale.all(height: 1, of: mode == .start ? height : 1)
    load(
      KMeans.name, .clusters, width: count, height: 1, rows: rows, tables: [table.flatMap { $0.map(\.word) } + [0]]
    ) { channels, tables in
      Clusters.Parameters(mode, channels: channels, count: count, table: tables[0]).list
    }
    if let other { _ = read(other) }
  }

  /// Returns a row with the sums of a picture's pixels for each of the colours that they are nearest to.
  fileprivate mutating func sums(_ picture: PlaneRef, of colors: PlaneRef) -> PlaneRef {
    let (width, height, count) = (picture.width, picture.height, colors.width)
    use(picture)
    load(KMeans.name, .clusters, width: width, height: height, rows: .same(height: height)) { channels, _ in
      Clusters.Parameters(.nearest, channels: channels, count: count).list
    }
    _ = read(colors, rows: .all(height: height, of: 1))
    let nearest = builder.close(channels: 1), tiles = Clusters.tiles(width: width, height: height)
    let rows = RowScale(firstRow: tiles.map { Int32($0[1]) }, lastRow: tiles.map { Int32($0[3] - 1) })
    use(picture)
    load(
      KMeans.name, .clusters, width: count, height: tiles.count, rows: rows,
      tables: [tiles.flatMap { $0.map(\.word) }]
    ) { channels, tables in Clusters.Parameters(.sums, channels: channels, count: count, table: tables[0]).list }
    _ = read(nearest, rows: rows)
    makeTransparent()
    addRows(KMeans.name)
    return builder.close(channels: 4)
  }
}
