const maxEntries = 2_000;
/** What the parts of an honest workbook of 100,000 rows come to; a bomb says so in its directory, or lies and is caught by the reader. */
const maxUnpackedBytes = 512 * 1024 * 1024;
/** Sheets are read as they unpack; every other part (the shared texts above all) is held whole. */
const maxPartBytes = 64 * 1024 * 1024;
/** Deflate cannot do better than about 1032; sheets of one repeated value come near 200. */
const maxCompressionRatio = 400;

/**
 * Look at a workbook's directory before anything is unpacked: a bomb is refused in milliseconds. Answers what is wrong, or
 * null. The reader unpacks no part beyond the size that stands here, so a lie costs no more than the truth.
 */
export async function workbookProblem(bytes: Buffer): Promise<string | null> {
  const { fromBufferPromise } = await import('yauzl'); // loaded by the first workbook
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, validateEntrySizes: true }).catch(
    () => null,
  );
  if (!zip) return 'The file is damaged.';
  try {
    if (zip.entryCount > maxEntries) return 'The file has too many parts to be a workbook.';
    let unpacked = 0;
    let workbook = false;
    for await (const entry of zip.eachEntry()) {
      if (entry.isEncrypted()) return 'The file is password-protected. Save it without a password.';
      const isSizeForged = entry.uncompressedSize === 0 && entry.compressedSize > 2;
      unpacked += entry.uncompressedSize;
      if (
        isSizeForged ||
        unpacked > maxUnpackedBytes ||
        (!/^xl\/worksheets\//.test(entry.fileName) && entry.uncompressedSize > maxPartBytes) ||
        (entry.uncompressedSize > 1024 * 1024 &&
          entry.uncompressedSize / Math.max(1, entry.compressedSize) > maxCompressionRatio)
      )
        return 'The file is far too large for a list of contacts when unpacked. Save it as CSV and try again.';
      if (entry.fileName === 'xl/workbook.xml' || entry.fileName === 'xl/workbook.bin')
        workbook = true;
    }
    return workbook ? null : 'This is a ZIP file, not a workbook.';
  } catch {
    return 'The file is damaged.';
  } finally {
    zip.close();
  }
}
