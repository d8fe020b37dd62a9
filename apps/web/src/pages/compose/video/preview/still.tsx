/** A picture in place of a video that the browser cannot play, or the sign for a missing one. */
import { useState } from 'react';
import { IconVideoOff } from '../../../../ui/icons/index.ts';
import classes from './preview.module.css';

export function Still({ picture }: { picture: string | undefined }) {
  const [missing, setMissing] = useState<string | null>(null);
  if (picture !== undefined && picture !== missing)
    return <img src={picture} alt="" className={classes.still} onError={() => setMissing(picture)} />;
  return (
    <div className={classes.none}>
      <IconVideoOff size={40} aria-hidden />
    </div>
  );
}
