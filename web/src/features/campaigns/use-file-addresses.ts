import { useEffect, useState } from 'react';
import type { ShownFile } from './PhonePreview.tsx';

/** Selected files with object URLs for images, revoked when the files change. */
export function useFileAddresses(files: readonly File[]): ShownFile[] {
  const [shown, setShown] = useState<ShownFile[]>([]);
  useEffect(() => {
    const made = files.map((file, i) => ({
      key: `${file.name}${file.lastModified}${i}`,
      name: file.name,
      url: file.type.startsWith('image/') ? URL.createObjectURL(file) : null,
    }));
    setShown(made);
    return () => {
      for (const { url } of made) if (url) URL.revokeObjectURL(url);
    };
  }, [files]);
  return shown;
}
