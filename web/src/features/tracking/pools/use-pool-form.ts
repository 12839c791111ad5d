import { useForm } from '@mantine/form';
import { tracking } from '#contract';
import { bindFieldErrors, t, useApiMutation, useCompanyId, useUnsavedGuard } from '#ui';

const idText = (id: number | null): string | null => (id === null ? null : String(id));
const idOf = (text: string | null): number | null => (text === null ? null : Number(text));

const valuesOf = (pool: tracking.Pool) => ({
  name: pool.name,
  mode: pool.mode,
  sourceIds: pool.sourceIds.map(String),
  domains: pool.domains,
  includePaths: pool.includePaths,
  excludePaths: pool.excludePaths,
  crossDomains: pool.crossDomains,
  captureParams: pool.captureParams,
  captureCookies: pool.captureCookies,
  swapNumbers: pool.swapTargets.map(({ number }) => number),
  exhaustedPolicy: pool.exhaustedPolicy,
  defaultNumberId: idText(pool.defaultNumberId),
  sessionTimeoutMinutes: pool.sessionTimeoutMinutes as number | string,
  quarantineMinutes: pool.quarantineMinutes as number | string,
  stickyDays: pool.stickyDays as number | string,
  attributionModel: pool.attributionModel,
  attributionWindowHours: pool.attributionWindowHours as number | string,
  templateId: idText(pool.templateId),
  scheduleId: pool.scheduleId,
  forwardNumber: pool.forwardNumber ?? '',
  record: pool.record === null ? '' : pool.record ? 'yes' : 'no',
  whisperSource: pool.whisperSource,
  lookbackDays: pool.lookbackDays as number | string,
  autoScale: pool.autoScale as {
    enabled: boolean;
    max: number | string;
    targetUtilization: number | string;
  },
});
export type PoolValues = ReturnType<typeof valuesOf>;

/** The settings of a form as the API takes them. */
export const settingsIn = (values: PoolValues, before: tracking.Pool) => ({
  name: values.name,
  mode: values.mode,
  sourceIds: values.sourceIds.map(Number),
  domains: values.domains,
  includePaths: values.includePaths,
  excludePaths: values.excludePaths,
  crossDomains: values.crossDomains,
  captureParams: values.captureParams,
  captureCookies: values.captureCookies,
  exhaustedPolicy: values.exhaustedPolicy,
  defaultNumberId: idOf(values.defaultNumberId),
  swapTargets: values.swapNumbers.map(
    (number) => before.swapTargets.find((one) => one.number === number) ?? { number },
  ),
  sessionTimeoutMinutes: Number(values.sessionTimeoutMinutes),
  quarantineMinutes: Number(values.quarantineMinutes),
  stickyDays: Number(values.stickyDays),
  attributionModel: values.attributionModel,
  attributionWindowHours: Number(values.attributionWindowHours),
  templateId: idOf(values.templateId),
  scheduleId: values.scheduleId,
  forwardNumber: values.forwardNumber || null,
  record: values.record === '' ? null : values.record === 'yes',
  whisperSource: values.whisperSource,
  lookbackDays: Number(values.lookbackDays),
  autoScale: {
    enabled: values.autoScale.enabled,
    max: Number(values.autoScale.max),
    targetUtilization: Number(values.autoScale.targetUtilization),
  },
});

/** The form of a pool's settings; its numbers are changed at once, beside it. */
export function usePoolForm(pool: tracking.Pool) {
  const companyId = useCompanyId() ?? 0;
  const form = useForm({
    initialValues: valuesOf(pool),
    validate: { name: (name) => (name.trim() ? null : t('Enter a name.')) },
  });
  useUnsavedGuard(form.isDirty());
  const { mutate, isPending } = useApiMutation(tracking.updatePool, {
    invalidates: [tracking.getPool, tracking.listPools],
    onFieldErrors: bindFieldErrors(form, { swapTargets: 'swapNumbers' }),
    success: t('Pool saved'),
  });
  const save = form.onSubmit(async (values) => {
    const response = await mutate({
      params: { companyId, poolId: pool.id },
      body: settingsIn(values, pool),
    });
    if (!response) return;
    form.setInitialValues(valuesOf(response.data));
    form.setValues(valuesOf(response.data));
    form.resetDirty(valuesOf(response.data));
  });
  return { form, save, isPending };
}
export type PoolFormModel = ReturnType<typeof usePoolForm>['form'];
