import { importing } from '#contract';
import { confirm, formatNumber, t, trackBatch, useApiMutation } from '#ui';
import type { Import } from './labels.ts';

/** Undoes an import, after a confirmation. */
export function useUndoImport(): { undo: (file: Import) => Promise<void>; undoing: boolean } {
  const { mutate, isPending } = useApiMutation(importing.undoContactImport, {
    invalidates: [importing.getContactImport, importing.listContactImports],
  });
  const undo = async (file: Import): Promise<void> => {
    const sure = await confirm({
      title: t('Undo the import of {name}?', { name: file.fileName }),
      confirmLabel: t('Undo import'),
      danger: true,
      body: t(
        '{created} new contacts are removed and {updated} are restored. Contacts that were called, texted or edited since stay, and so do opt-outs.',
        { created: formatNumber(file.created), updated: formatNumber(file.updated) },
      ),
    });
    if (!sure) return;
    const begun = await mutate({ params: { importId: file.id } });
    if (begun)
      trackBatch({
        id: begun.data.batchId,
        of: 'contacts',
        label: t('Undoing {name}', { name: file.fileName }),
        total: begun.data.total,
      });
  };
  return { undo, undoing: isPending };
}
