import { randomInt } from 'node:crypto';

const QUALITIES =
  'able,amber,brave,bright,calm,clever,cool,eager,fair,fast,fine,gentle,glad,grand,keen,kind,lively,lucky,merry,neat,nice,noble,proud,quick,quiet,rapid,sharp,shy,silent,smooth,sunny,swift,tidy,warm,wise,witty';
const ANIMALS =
  'ant,bear,bee,cat,crane,crow,deer,dove,duck,eagle,finch,fish,fox,frog,goat,gull,hare,hawk,hen,horse,lamb,lark,lynx,mole,moth,mouse,otter,owl,pony,rabbit,ram,robin,seal,snail,swan,toad,trout,vole,whale,wolf,wren';

function oneOf(words: string): string {
  const list = words.split(',');
  return list[randomInt(list.length)] ?? '';
}

/** A name for a run that got none, such as `calm-otter-412`. */
export function randomRunName(): string {
  return `${oneOf(QUALITIES)}-${oneOf(ANIMALS)}-${randomInt(1000)}`;
}
