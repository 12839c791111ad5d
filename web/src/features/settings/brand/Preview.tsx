import { Button } from '@mantine/core';
import { t } from '#ui';
import { brandVariables } from '#ui/theme/brand-colors.ts';
import { surfaces, type Scheme } from '#ui/theme/variables.ts';
import type { SavedLook } from './brand.ts';
import css from './Preview.module.css';

/** How pages will look in a brand, in the light and the dark theme; nothing of it can be used. */
export function Preview({ look, name }: { look: SavedLook; name: string }) {
  return (
    <div className={css.both}>
      <Pane scheme="light" look={look} name={name} label={t('Light')} />
      <Pane scheme="dark" look={look} name={name} label={t('Dark')} />
    </div>
  );
}

function Pane({
  scheme,
  look,
  name,
  label,
}: {
  scheme: Scheme;
  look: SavedLook;
  name: string;
  label: string;
}) {
  const { primary_color: primary, secondary_color: secondary } = look;
  const logo = scheme === 'dark' ? (look.logo_dark ?? look.logo) : look.logo;
  const variables = { ...surfaces[scheme], ...brandVariables({ primary, secondary }, scheme) };
  return (
    <figure className={css.figure}>
      <figcaption>{label}</figcaption>
      <div className={css.pane} style={variables} data-scheme={scheme} inert>
        <div className={css.tab}>
          {look.favicon ? <img src={look.favicon} alt="" /> : <span className={css.dot} />}
          <span>{name}</span>
        </div>
        <div className={css.frame}>
          <div className={css.rail}>
            {logo ? <img src={logo} alt="" className={css.logo} /> : <b>{name}</b>}
            <span className={css.entry} data-chosen>
              {t('Inbox')}
            </span>
            <span className={css.entry}>{t('Contacts')}</span>
            <span className={css.entry}>{t('Numbers')}</span>
          </div>
          <div className={css.page}>
            <span className={css.in}>{t('When are you open?')}</span>
            <span className={css.out}>{t('Until six today.')}</span>
            <span className={css.link}>{t('Show more')}</span>
            <Button size="xs" color="accent" tabIndex={-1}>
              {t('Send')}
            </Button>
          </div>
        </div>
      </div>
    </figure>
  );
}
