/** A picture in place of a video that the browser cannot play, or a sign: its preview is being made, or missing. */
import { Loader } from '@mantine/core';
import { useState } from 'react';
import { IconVideoOff } from '../../../../ui/icons/index.ts';
import classes from './preview.module.css';

export function Still({ picture, isMaking }: { picture: string | undefined; isMaking: boolean }) {
  const [missing, setMissing] = useState<string | null>(null);
  if (picture !== undefined && picture !== missing)
    return <img src={picture} alt="" className={classes.still} onError={() => setMissing(picture)} />;
  return (
    <div className={classes.none}>
      {isMaking ? <Loader color="gray" aria-hidden /> : <IconVideoOff size={40} aria-hidden />}
    </div>
  );
}
