import { t } from '#ui';
import { SectionTabs } from '../../shared/SectionTabs.tsx';

/** Tabs of the contacts section. */
export const ContactsTabs = () => <SectionTabs row="contacts" label={t('Contacts sections')} />;
