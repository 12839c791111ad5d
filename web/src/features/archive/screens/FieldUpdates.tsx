import { fieldUpdates } from '#contract';
import type { UpdatableType } from '#contract/archive/field-updates/rules';
import { api, formFields, Page, t, useApiMutation, useApiQuery, useCompanyId } from '#ui';
import { NumbersTabs } from '../../numbers/index.ts';
import { ChooseFile } from '../field-updates/ChooseFile.tsx';
import { Runs } from '../field-updates/Runs.tsx';

/** Changes custom fields of many numbers, contacts or pools by a file, and undoes it. */
export default function FieldUpdates() {
  const params = { companyId: useCompanyId() ?? 0 };
  const { response, loading, error, refetch } = useApiQuery(fieldUpdates.listFieldUpdates, {
    params,
    query: {},
  });
  const invalidates = [fieldUpdates.listFieldUpdates];
  const uploading = useApiMutation(fieldUpdates.uploadFieldUpdate, { invalidates });
  const undoing = useApiMutation(fieldUpdates.undoFieldUpdate, { invalidates });
  const template = async (type: UpdatableType) =>
    (
      await api(fieldUpdates.listFieldUpdates, { params, query: { template: type } }).catch(
        () => null,
      )
    )?.template ?? null;
  return (
    <Page
      title={t('Custom fields from a file')}
      description={t('Change the custom fields of many records at once.')}
      filters={<NumbersTabs />}
    >
      <ChooseFile
        about={t('The template has your numbers, pools or company with the values they have now.')}
        template={template}
        upload={(file, entityType) =>
          uploading.mutate({ params, body: formFields({ file, entityType }) })
        }
        isPending={uploading.isPending}
      />
      <Runs
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        undo={(run) => undoing.mutate({ params: { ...params, updateId: Number(run.id) } })}
        isUndoing={undoing.isPending}
      />
    </Page>
  );
}
