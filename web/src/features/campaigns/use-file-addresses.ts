import { useEffect, useState } from 'react';
import type { ShownFile } from './PhonePreview.tsx';

/** Chosen files as they can be shown: pictures with an address of their own, which is given back when they go. */
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
