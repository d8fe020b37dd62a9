/** All German tables except those of connectors. */
import type { Tables } from '../tables.ts';
import { channels } from './channels.ts';
import { checks } from './checks.ts';
import { connect } from './connect.ts';
import { doctor } from './doctor.ts';
import { sources, units } from './error-parts.ts';
import { errors, problems } from './errors.ts';
import { fields } from './fields.ts';
import { flaws, limits, media } from './media.ts';
import { pages, refusals } from './pages.ts';
import { rules } from './rules.ts';
import { signIn, signUp } from './sign-in.ts';
import { timeline } from './timeline.ts';
import { watching } from './watching.ts';

export const GERMAN_TABLES: Tables = {
  timeline,
  media,
  rules,
  watching,
  limits,
  flaws,
  errors,
  problems,
  fields,
  units,
  sources,
  signUp,
  signIn,
  checks,
  connect,
  pages,
  refusals,
  doctor,
  channels,
};
