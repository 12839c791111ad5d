import css from './BrandPicture.module.css';

/** A logo in the app's scheme, which can differ from the system's. `dark` null: `light` there too. */
export const BrandPicture = ({
  light,
  dark,
  name,
}: {
  light: string;
  dark: string | null;
  name: string;
}) => (
  <picture className={css.picture}>
    <img src={light} alt={name} data-for="light" />
    <img src={dark ?? light} alt={name} data-for="dark" />
  </picture>
);
