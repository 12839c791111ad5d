const maxEntries = 2_000;
/** More than a workbook of 100,000 rows needs. */
const maxUnpackedBytes = 512 * 1024 * 1024;
/**
 * For every part but sheets: they are streamed, other parts (such as shared strings) are held in
 * memory.
 */
const maxPartBytes = 64 * 1024 * 1024;
/** Deflate reaches at most about 1032; sheets of one repeated value come close to 200. */
const maxCompressionRatio = 400;

/**
 * Checks a workbook's ZIP directory before anything is unpacked, so that a ZIP bomb is rejected in
 * milliseconds. Returns what is wrong, as a sentence; null: nothing. The reader unpacks no part beyond
 * the size in the directory, so wrong sizes are harmless.
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
