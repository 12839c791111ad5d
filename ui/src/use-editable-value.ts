import { useEffect, useRef, useState } from 'react';

/**
 * What a field shows that is saved by itself, while its stored value may change under it: by the answer to an earlier save, or by
 * somebody else. A new stored value is shown at once, except while a person is in the middle of changing the field.
 *
 * `of` names the object; with another one, what was begun is dropped. `finish` says whether there was a change begun, and ends it.
 */
export function useEditableValue<T>(
  stored: T,
  objectKey: unknown = null,
): { value: T; edit: (value: T) => void; finish: () => boolean; restore: () => void } {
  const [value, setValue] = useState(stored);
  const isEditing = useRef(false);
  const shownKey = useRef(objectKey);
  useEffect(() => {
    if (shownKey.current !== objectKey) isEditing.current = false;
    shownKey.current = objectKey;
    if (!isEditing.current) setValue(stored);
  }, [objectKey, stored]);
  return {
    value,
    edit: (next) => {
      isEditing.current = true;
      setValue(next);
    },
    finish: () => {
      const was = isEditing.current;
      isEditing.current = false;
      return was;
    },
    restore: () => {
      isEditing.current = false;
      setValue(stored);
    },
  };
}
