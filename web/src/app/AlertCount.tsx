import { countAlerts } from '#contract/monitoring/endpoints';
import { CountBadge, t, useApiQuery, useCompanyId } from '#ui';

/** How many alerts are open, beside their entry of the rail; nothing at none. */
export default function AlertCount() {
  const { response } = useApiQuery(
    countAlerts,
    { query: { company_id: useCompanyId() } },
    { silent: true, staleTime: 60_000 },
  );
  const open = response?.data.open ?? 0;
  return <CountBadge count={open} label={t('{n} open', { n: open })} />;
}
