import { contacts, importing, type Answer } from '#contract';
import { maxBytes } from '#contract/contacts/importing/rules';
import { toast, formFields, formatNumber, t, useApiMutation } from '#ui';

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
    const response = await table.mutate({ body });
    if (response) onUploaded(response.data.id);
  };
  return { upload, isPending: table.isPending || vcards.isPending };
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
