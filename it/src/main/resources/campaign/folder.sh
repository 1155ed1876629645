set -u
unset CDPATH
# This script's folder. Slurm runs a copy from elsewhere, with the campaign's folder as working directory.
case ${BASH_SOURCE[0]} in
  /*/*) here=${BASH_SOURCE[0]%/*} ;;
  */*) here=./${BASH_SOURCE[0]%/*} ;;
  *) here=. ;;
esac
if [ -e "$here/campaign.json" ]; then
  cd -- "$here" || exit 3
elif [ ! -e campaign.json ]; then
  echo "no campaign.json beside this script or in $PWD: the campaign's folder must be where every node sees it" >&2
  exit 3
fi
