import { contacts, importing, type Answer } from '#contract';
import type { TextEncoding } from '#contract/contacts/importing/encodings';
import { maxBytes } from '#contract/contacts/importing/rules';
import { toast, formFields, formatNumber, t, useApiMutation } from '#ui';

/** The files uploaded on this page, by import, to read one again in another encoding. */
const uploadedFiles = new Map<number, File>();
/** Whether this page still has the file of an import; not after it was loaded again. */
export const hasUploadedFile = (importId: number): boolean => uploadedFiles.has(importId);

/**
 * Uploads a file of contacts. A table becomes an import (`onUploaded` gets its id); vCards are
 * imported right away.
 */
export function useUpload(onUploaded: (importId: number) => void) {
  const table = useApiMutation(importing.uploadContactImport, {
    invalidates: [importing.listContactImports],
  });
  const vcards = useApiMutation(contacts.addVcards, {
    invalidates: [contacts.listContacts, contacts.countContacts],
  });
  const upload = async (file: File): Promise<void> => {
    if (file.size > maxBytes) {
      toast.danger(
        t('The file is larger than {n} MB. Split it into smaller files.', {
          n: maxBytes / 1024 / 1024,
        }),
      );
      return;
    }
    const body = formFields({ file });
    if (/\.vcf$/i.test(file.name)) {
      const response = await vcards.mutate({ body });
      if (response) toastVcardResult(response.data);
      return;
    }
    await uploadTable(file, body);
  };
  const uploadTable = async (file: File, body: ReturnType<typeof formFields>): Promise<void> => {
    const response = await table.mutate({ body });
    if (!response) return;
    uploadedFiles.set(response.data.id, file);
    onUploaded(response.data.id);
  };
  /** Reads the file of an import again, as a new import. */
  const readAgain = async (importId: number, encoding: TextEncoding): Promise<void> => {
    const file = uploadedFiles.get(importId);
    if (file) await uploadTable(file, formFields({ encoding, file }));
  };
  return { upload, readAgain, isPending: table.isPending || vcards.isPending };
}

type VcardResult = Answer<typeof contacts.addVcards>['data'];
/** How many vCards were read, and what was wrong with the first invalid ones. */
function toastVcardResult({ created, updated, unchanged, errors }: VcardResult): void {
  const message = t('{created} added, {updated} updated, {unchanged} unchanged', {
    created: formatNumber(created),
    updated: formatNumber(updated),
    unchanged: formatNumber(unchanged),
  });
  const lines = errors
    .slice(0, 5)
    .map((e) => t('Card {n}: {message}', { n: e.row, message: e.message }));
  if (errors.length > lines.length)
    lines.push(t('{n} more', { n: formatNumber(errors.length - lines.length) }));
  if (errors.length) toast.warn(message, { lines, ms: 10_000 });
  else toast.success(message);
}
