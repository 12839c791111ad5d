import { buffer } from 'node:stream/consumers';
import { fromBuffer } from 'yauzl';

/** The entries of a ZIP file by name. */
export async function entriesOf(bytes: Buffer): Promise<Map<string, Buffer>> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error);
      const entries = new Map<string, Buffer>();
      zip.on('error', reject);
      zip.on('end', () => resolve(entries));
      zip.on('entry', (entry: { fileName: string }) =>
        zip.openReadStream(entry as never, (failed, stream) => {
          if (failed) return reject(failed);
          void buffer(stream).then((content) => {
            entries.set(entry.fileName, content);
            zip.readEntry();
          }, reject);
        }),
      );
      zip.readEntry();
    });
  });
}
