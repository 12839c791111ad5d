import { useState } from 'react';
import { Button } from '@mantine/core';
import { tracking } from '#contract';
import { ErrorState, Page, t, useApiQuery, useCompanyId, usePermission } from '#ui';
import { OwnSources } from '../sources/OwnSources.tsx';
import { SourceForm } from '../sources/SourceForm.tsx';
import { SystemSources } from '../sources/SystemSources.tsx';
import { TryVisit } from '../sources/TryVisit.tsx';
import { TrackingTabs } from '../TrackingTabs.tsx';

/** Where visitors come from: the company's own sources with their rules, and those of everyone. */
export default function TrackingSources() {
  const { response, error, refetch } = useApiQuery(
    tracking.listSources,
    { params: { companyId: useCompanyId() ?? 0 } },
    { silent: true },
  );
  const mayEdit = usePermission('dni.edit');
  const [editing, setEditing] = useState<tracking.Source | 'new' | null>(null);
  const add = mayEdit && <Button onClick={() => setEditing('new')}>{t('Add source')}</Button>;
  const sources = response?.data;
  return (
    <Page
      title={t('Sources')}
      description={t(
        'Where visitors of your website come from. Each visit gets the first source whose rule matches.',
      )}
      action={add}
      filters={<TrackingTabs />}
    >
      {error && !sources && <ErrorState error={error} retry={refetch} />}
      {sources && (
        <>
          <OwnSources
            sources={sources.filter((source) => !source.isSystem)}
            mayEdit={mayEdit}
            onEdit={setEditing}
          />
          <TryVisit sources={sources} />
          <SystemSources sources={sources.filter((source) => source.isSystem)} />
        </>
      )}
      {editing && (
        <SourceForm
          key={editing === 'new' ? 0 : editing.id}
          source={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
        />
      )}
    </Page>
  );
}
