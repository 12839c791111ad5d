import { tracking } from '#contract';
import { ErrorState, Page, StatusBadge, t, useApiQuery, useCompanyId, usePermission } from '#ui';
import { SaveBar } from '../../../shared/SaveBar.tsx';
import { useIdParam } from '../../../shared/params.ts';
import { AttributionSection } from '../pools/AttributionSection.tsx';
import { poolStatusName, poolStatusTone } from '../pools/labels.ts';
import { PoolHits } from '../pools/PoolHits.tsx';
import { PoolMenu } from '../pools/PoolMenu.tsx';
import { PoolNumbers } from '../pools/PoolNumbers.tsx';
import { PoolPreview } from '../pools/PoolPreview.tsx';
import { GrowthSection } from '../pools/GrowthSection.tsx';
import { CallsSection } from '../pools/CallsSection.tsx';
import { CaptureSection, VisitorSection, WebsiteSection } from '../pools/PoolSettings.tsx';
import { usePoolForm } from '../pools/use-pool-form.ts';
import css from '../pools/pools.module.css';

/** One pool: its numbers, its settings, and which visitor gets what. */
export default function TrackingPool() {
  const poolId = useIdParam('id') ?? 0;
  const { response, error, refetch } = useApiQuery(
    tracking.getPool,
    { params: { companyId: useCompanyId() ?? 0, poolId } },
    { silent: true },
  );
  const pool = response?.data;
  if (!pool)
    return (
      <Page
        title={t('Tracking pool')}
        back={{ href: '/tracking/pools', label: t('Tracking pools') }}
      >
        {error && <ErrorState error={error} retry={refetch} />}
      </Page>
    );
  return <PoolEditor key={pool.id} pool={pool} />;
}

function PoolEditor({ pool }: { pool: tracking.Pool }) {
  const mayEdit = usePermission('dni.edit');
  const { form, save, isPending } = usePoolForm(pool);
  const part = { form, mayEdit };
  return (
    <Page
      title={pool.name}
      back={{ href: '/tracking/pools', label: t('Tracking pools') }}
      aside={
        <StatusBadge tone={poolStatusTone(pool.status)}>{poolStatusName(pool.status)}</StatusBadge>
      }
      action={mayEdit && <PoolMenu pool={pool} />}
    >
      <PoolNumbers pool={pool} />
      <PoolHits hits={pool.hits24h} />
      <form className={css.form} onSubmit={save} noValidate>
        <WebsiteSection {...part} />
        {form.values.mode === 'visitor' && (
          <>
            <VisitorSection {...part} pool={pool} />
            <GrowthSection {...part} pool={pool} />
          </>
        )}
        <CaptureSection {...part} />
        <AttributionSection {...part} />
        <CallsSection {...part} />
        {mayEdit && (
          <SaveBar dirty={form.isDirty()} saving={isPending} onDiscard={() => form.reset()} />
        )}
      </form>
      <PoolPreview pool={pool} values={form.values} />
    </Page>
  );
}
