. /tmp/h2t/setup.sh
for lay in flat versioned; do
rm -rf D; mkdir D
i extract 1.0.pkg --layout $lay --quiet
[ $lay = flat ] && p=D/com.x.book || p=D/com.x.book/1.0
echo EDIT > $p/a.txt; 
i extract 2.0.pkg 
[ $lay = flat ] && q=D/com.x.book || q=D/com.x.book/2.0
echo 'two 2.0' > $q/a.txt;
i status --verify
i remove com.x.book --dry-run
i remove com.x.book --format json
find D
done
echo ==== 2
rm -rf D; mkdir D
i extract 1.0.pkg
i extract 2.0.pkg
echo mine > D/.iapkg/previous/com.x.book/mine.txt
echo mine2 > D/.iapkg/previous/com.x.book/1.0/mine2.txt
i extract 3.0.pkg --keep 0
find D
rm -rf D; mkdir D
i extract 1.0.pkg
i extract 2.0.pkg
echo mine > D/.iapkg/previous/com.x.book/mine.txt
i extract 3.0.pkg --keep 1
i remove com.x.book 
find D
