import { t } from '#ui';
import { SectionTabs } from '../../shared/SectionTabs.tsx';

/** Tabs of the reports section. */
export const ReportsTabs = () => <SectionTabs row="reports" label={t('Reports sections')} />;
