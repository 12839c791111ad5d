import { ActionIcon, Stack } from '@mantine/core';
import { IconPaperclip, IconTrash } from '@tabler/icons-react';
import { porting } from '#contract';
import { formatBytes, t, Time, useApiMutation } from '#ui';
import { AddPortDocument } from './AddPortDocument.tsx';
import { documentName } from './labels.ts';
import css from '../../shared/Rows.module.css';

/**
 * Documents of a port request, with a form that adds one of the given kinds. `error` is shown at
 * the file field.
 */
export function PortDocuments({
  port,
  kinds,
  mayEdit,
  error,
}: {
  port: porting.PortRequest;
  kinds: readonly porting.PortDocumentKind[];
  mayEdit: boolean;
  error?: React.ReactNode;
}) {
  const remove = useApiMutation(porting.removePortDocument, {
    invalidates: [porting.getPort, porting.listPorts],
    success: t('Document removed'),
  });
  return (
    <Stack gap="sm">
      {port.documents.length > 0 && (
        <ul className={css.rows} aria-label={t('Documents')}>
          {port.documents.map((d) => (
            <DocumentRow
              key={d.id}
              document={d}
              disabled={remove.isPending}
              onRemove={
                mayEdit
                  ? () => void remove.mutate({ params: { id: port.id, documentId: d.id } })
                  : null
              }
            />
          ))}
        </ul>
      )}
      {mayEdit && <AddPortDocument portId={port.id} kinds={kinds} error={error} />}
    </Stack>
  );
}

interface DocumentRowProps {
  document: porting.PortRequest['documents'][number];
  disabled: boolean;
  /** Null when the user may not remove documents. */
  onRemove: (() => void) | null;
}

function DocumentRow({ document: d, disabled, onRemove }: DocumentRowProps) {
  return (
    <li>
      <IconPaperclip size={16} aria-hidden />
      {d.url ? (
        <a className={css.grow} href={d.url} target="_blank" rel="noreferrer">
          {d.name}
        </a>
      ) : (
        <span className={css.grow}>{d.name}</span>
      )}
      <span>
        {documentName(d.kind)}
        {d.bill_date ? `, ${d.bill_date}` : ''}
      </span>
      <span className={css.quiet}>
        {formatBytes(d.size)}, <Time at={d.uploaded_at} as="day" />
      </span>
      {onRemove && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('Remove {name}', { name: d.name })}
          disabled={disabled}
          onClick={onRemove}
        >
          <IconTrash size={16} />
        </ActionIcon>
      )}
    </li>
  );
}
