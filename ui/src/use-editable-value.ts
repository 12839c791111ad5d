import { useEffect, useRef, useState } from 'react';

/**
 * Value of an auto-saved field whose stored value can change meanwhile, by an earlier save or
 * another person. A new stored value is shown at once, except while the person is editing. `of`
 * identifies the object; when it changes, the edit is dropped. `finish` ends the edit and returns
 * whether there was one.
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
