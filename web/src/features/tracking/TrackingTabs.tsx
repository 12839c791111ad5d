import { t } from '#ui';
import { SectionTabs } from '../../shared/SectionTabs.tsx';

/** Tabs of the tracking section. */
export const TrackingTabs = () => <SectionTabs row="tracking" label={t('Tracking sections')} />;
