import { settingKeys, settingRules } from '#contract/settings/rules';
import { t } from '#ui';
import {
  CampaignsSection,
  RetentionSection,
  PrivacySection,
  UserPermissionsSection,
} from '../GeneralSections.tsx';
import { AutomaticTextsSection } from '../AutomaticTextsSection.tsx';
import { CallsSection, HoursSection, ScreeningSection } from '../CallSections.tsx';
import { FormatsSection, NotificationsSection, SummarySection } from '../FormatSections.tsx';
import { AttributionSection, QualifiedSection } from './general/AttributionSection.tsx';
import { SettingsScreen } from '../SettingsScreen.tsx';

/** Settings of other screens, which restoring this page leaves alone. */
const elsewhere: string[] = ['timezone', 'links_enabled', 'texting_requires_verification'];
const keysOnPage = settingKeys.filter(
  (key) => !elsewhere.includes(key) && !['security', 'alerts'].includes(settingRules[key].group),
);

/** Settings of the whole company. Settings of a number, user or campaign override them. */
export default function SettingsGeneral() {
  return (
    <SettingsScreen
      title={t('General')}
      about={t('These apply to the whole company. Settings on a number override them.')}
      keys={keysOnPage}
    >
      {(form, zone) => (
        <>
          <FormatsSection form={form} />
          <PrivacySection form={form} />
          <CallsSection form={form} />
          <HoursSection form={form} />
          <ScreeningSection form={form} />
          <AutomaticTextsSection form={form} />
          <NotificationsSection form={form} />
          <SummarySection form={form} />
          <CampaignsSection form={form} zone={zone} />
          <AttributionSection form={form} />
          <QualifiedSection form={form} />
          <UserPermissionsSection form={form} />
          <RetentionSection form={form} />
        </>
      )}
    </SettingsScreen>
  );
}
