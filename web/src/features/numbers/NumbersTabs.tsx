import { t } from '#ui';
import { SectionTabs } from '../../shared/SectionTabs.tsx';

/** Tabs of the numbers section. */
export const NumbersTabs = () => <SectionTabs row="numbers" label={t('Numbers sections')} />;
