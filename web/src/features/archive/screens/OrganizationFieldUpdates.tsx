import { useEffect } from 'react';
import { Skeleton } from '@mantine/core';
import { fieldUpdates, organizations } from '#contract';
import type { UpdatableType } from '#contract/archive/field-updates/rules';
import { api, ErrorState, formFields, t, useApiMutation, useApiQuery } from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { ChooseFile } from '../field-updates/ChooseFile.tsx';
import { Runs } from '../field-updates/Runs.tsx';

/** While jobs run in companies whose events this screen doesn't get. */
const pollMs = 3_000;

/** The same for all companies of the organization that the person administers. */
export default function OrganizationFieldUpdates() {
  const { response, error, refetch } = useApiQuery(
    organizations.listOrganizations,
    { query: {} },
    { staleTime: 60_000 },
  );
  const organization = response?.data.find((one) => one.is_admin);
  return (
    <SettingsFrame
      row="organization"
      title={t('Custom fields of all companies')}
      description={t('Change the organization’s custom fields in all of its companies at once.')}
    >
      {organization ? (
        <OfOrganization id={organization.id} />
      ) : error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <Skeleton height={120} aria-label={t('Loading')} />
      )}
    </SettingsFrame>
  );
}

function OfOrganization({ id }: { id: number }) {
  const params = { id };
  const runs = useApiQuery(fieldUpdates.listOrganizationFieldUpdates, { params, query: {} });
  const { refetch } = runs;
  const isGoing = runs.response?.data.some(
    ({ status }) => status === 'running' || status === 'undoing',
  );
  useEffect(() => {
    if (!isGoing) return;
    const timer = setInterval(refetch, pollMs);
    return () => clearInterval(timer);
  }, [isGoing, refetch]);
  const invalidates = [fieldUpdates.listOrganizationFieldUpdates];
  const uploading = useApiMutation(fieldUpdates.uploadOrganizationFieldUpdate, { invalidates });
  const undoing = useApiMutation(fieldUpdates.undoOrganizationFieldUpdate, { invalidates });
  const template = async (type: UpdatableType) =>
    (
      await api(fieldUpdates.listOrganizationFieldUpdates, {
        params,
        query: { template: type },
      }).catch(() => null)
    )?.template ?? null;
  return (
    <>
      <ChooseFile
        about={t(
          'Only fields of the organization. The template has the numbers or pools of all companies that you administer.',
        )}
        template={template}
        upload={(file, entityType) =>
          uploading.mutate({ params, body: formFields({ file, entityType }) })
        }
        isPending={uploading.isPending}
      />
      <Runs
        rows={runs.response?.data}
        loading={runs.loading}
        error={runs.error}
        refetch={refetch}
        undo={(run) => undoing.mutate({ params: { ...params, updateId: String(run.id) } })}
        isUndoing={undoing.isPending}
      />
    </>
  );
}
