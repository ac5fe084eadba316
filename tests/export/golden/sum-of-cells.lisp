refused: acl2 cannot say arrays: ACL2 would need a recursive function for each range that is spoken of, and an induction for each law about it
