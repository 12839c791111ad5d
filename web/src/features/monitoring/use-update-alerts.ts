import { monitoring, type Body } from '#contract';
import { t, toast, useApiMutation, type ApiError } from '#ui';
import type { Alert } from './labels.ts';

type AlertChange = Omit<Body<typeof monitoring.updateAlerts>, 'ids' | 'company_id'>;

/** What a changed alert is shown in. */
export const changedLists = [
  monitoring.listAlerts,
  monitoring.countAlerts,
  monitoring.getAlert,
  monitoring.listAlertHistory,
];

/**
 * Changes alerts, those of each company together. `update` resolves to false if something failed,
 * which was shown.
 */
export function useUpdateAlerts(onFieldErrors?: (error: ApiError) => string[]) {
  const { mutate, isPending } = useApiMutation(monitoring.updateAlerts, {
    invalidates: changedLists,
    ...(onFieldErrors && { onFieldErrors }),
  });
  const update = async (alerts: readonly Alert[], change: AlertChange): Promise<boolean> => {
    const companies = [...new Set(alerts.map(({ company }) => company.id))];
    let updated = 0;
    for (const company_id of companies) {
      const ids = alerts.filter(({ company }) => company.id === company_id).map(({ id }) => id);
      const answer = await mutate({ body: { company_id, ids, ...change } });
      if (!answer) return false;
      updated += answer.data.updated.length;
    }
    toast.show({
      type: 'success',
      title: t('{n, plural, one {# alert updated} other {# alerts updated}}', { n: updated }),
    });
    return true;
  };
  return { update, isPending };
}
